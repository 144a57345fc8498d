#include "cli/envelope.h"

#include "service/timestamp.h"

namespace clever::cli {
namespace {

Document messages_of(const Report& report) {
  Document messages = Document::list();
  for (const Message& message : report.messages) {
    messages.push(Document::map().set("level", to_string(message.level)).set("text", message.text));
  }
  return messages;
}

// Microseconds: more digits would be noise.
double to_milliseconds(base::Duration duration) {
  return static_cast<double>(std::chrono::round<std::chrono::microseconds>(duration).count()) /
         1000;
}

}  // namespace

Document envelope(std::string_view command, const Report& report, const Timing& timing) {
  return Document::map()
      .set("command", command)
      .set("status", to_string(report.status))
      .set("exit_code", static_cast<int>(report.exit_code))
      .set("data", report.data)
      .set("timing", Document::map()
                         .set("started", service::timestamp(timing.started))
                         .set("duration_ms", to_milliseconds(timing.duration)))
      .set("messages", messages_of(report));
}

}  // namespace clever::cli
