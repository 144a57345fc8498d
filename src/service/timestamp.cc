#include "service/timestamp.h"

#include <chrono>
#include <cstdint>

namespace clever::service {
namespace {

std::string digits(std::int64_t value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
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

}  // namespace clever::service
