#include "http/internal/date_line.h"

#include <array>
#include <chrono>

namespace clever::http::internal {

void DateLine::update(base::WallTime now) {
  static constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                            "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  if (second == second_ && !text_.empty()) return;
  second_ = second;
  const auto day = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(second - day);
  text_ = "Date: ";
  text_ += kDays[std::chrono::weekday(day).c_encoding()];
  const auto two = [](auto number) {
    const std::string digits = std::to_string(number);
    return digits.size() < 2 ? "0" + digits : digits;
  };
  text_ += ", " + two(static_cast<unsigned>(date.day())) + " ";
  text_ += kMonths[static_cast<unsigned>(date.month()) - 1];
  text_ += " " + std::to_string(static_cast<int>(date.year())) + " " + two(time.hours().count()) +
           ":" + two(time.minutes().count()) + ":" + two(time.seconds().count()) + " GMT\r\n";
}

}  // namespace clever::http::internal
