#include "cli/envelope.h"

#include <cstdint>

namespace clever::cli {
namespace {

std::string digits(std::int64_t value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

Document messages_of(const Report& report) {
  Document messages = Document::list();
  for (const Message& message : report.messages) {
    messages.push(Document::map().set("level", to_string(message.level)).set("text", message.text));
  }
  return messages;
}

// To the microsecond: more would be noise.
double to_milliseconds(base::Duration duration) {
  return static_cast<double>(std::chrono::round<std::chrono::microseconds>(duration).count()) /
         1000;
}

}  // namespace

std::string timestamp(base::WallTime time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  return digits(static_cast<int>(date.year()), 4) + "-" +
         digits(static_cast<unsigned>(date.month()), 2) + "-" +
         digits(static_cast<unsigned>(date.day()), 2) + "T" + digits(clock.hours().count(), 2) +
         ":" + digits(clock.minutes().count(), 2) + ":" + digits(clock.seconds().count(), 2) + "." +
         digits(clock.subseconds().count(), 3) + "Z";
}

Document envelope(std::string_view command, const Report& report, const Timing& timing) {
  return Document::map()
      .set("command", command)
      .set("status", to_string(report.status))
      .set("exit_code", static_cast<int>(report.exit_code))
      .set("data", report.data)
      .set("timing", Document::map()
                         .set("started", timestamp(timing.started))
                         .set("duration_ms", to_milliseconds(timing.duration)))
      .set("messages", messages_of(report));
}

}  // namespace clever::cli
