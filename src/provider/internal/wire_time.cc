#include "provider/internal/wire_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace clever::provider::internal {
namespace {

using std::chrono::milliseconds;

constexpr double kLongest = 30.0 * 24 * 3600 * 1000;

// Takes the number at the beginning off the text.
std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Takes the unit at the beginning off the text, in milliseconds. Tries "ms" before "m".
std::optional<double> take_unit(std::string_view& text) {
  struct Unit {
    std::string_view name;
    double milliseconds;
  };
  constexpr std::array<Unit, 7> kUnits = {{{"ms", 1},
                                           {"us", 1e-3},
                                           {"ns", 1e-6},
                                           {"d", 86'400'000},
                                           {"h", 3'600'000},
                                           {"m", 60'000},
                                           {"s", 1'000}}};
  for (const Unit& unit : kUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return unit.milliseconds;
  }
  return std::nullopt;
}

milliseconds bounded(double count) {
  return milliseconds(static_cast<std::int64_t>(std::ceil(std::clamp(count, 0.0, kLongest))));
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + count, value);
  if (error != std::errc() || end != begin + count || value < 0) return std::nullopt;
  return value;
}

std::optional<Seconds> moment(std::optional<int> year, std::optional<unsigned> month,
                              std::optional<int> day, std::string_view clock) {
  const auto hour = digits(clock, 0, 2);
  const auto minute = digits(clock, 3, 2);
  const auto second = digits(clock, 6, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second);
}

std::optional<unsigned> month_of(std::string_view name) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::size_t at = kMonths.find(name);
  if (name.size() != 3 || at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  return static_cast<unsigned>(at / 3 + 1);
}

// Parses "Z", "+02:00" or nothing, after the seconds and their fraction.
std::optional<std::chrono::minutes> offset_of(std::string_view rest) {
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') rest.remove_prefix(1);
  }
  if (rest.empty() || rest == "Z" || rest == "z") return std::chrono::minutes(0);
  const auto hours = digits(rest, 1, 2);
  const auto minutes = digits(rest, 4, 2);
  if (rest.size() != 6 || (rest[0] != '+' && rest[0] != '-') || !hours || !minutes) {
    return std::nullopt;
  }
  const std::chrono::minutes offset(*hours * 60 + *minutes);
  return rest[0] == '+' ? offset : -offset;
}

}  // namespace

std::optional<milliseconds> parse_duration(std::string_view text) {
  double total = 0;
  auto number = take_number(text);
  if (!number) return std::nullopt;
  if (text.empty()) return bounded(*number * 1000);
  while (true) {
    const auto unit = take_unit(text);
    if (!number || !unit) return std::nullopt;
    total += *number * *unit;
    if (text.empty()) return bounded(total);
    number = take_number(text);
  }
}

std::optional<Seconds> parse_http_date(std::string_view text) {
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  return moment(digits(text, 12, 4), month_of(text.substr(8, 3)), digits(text, 5, 2),
                text.substr(17, 8));
}

std::optional<Seconds> parse_rfc3339(std::string_view text) {
  if (text.size() < 19) return std::nullopt;
  const auto month = digits(text, 5, 2);
  if (!month) return std::nullopt;
  const auto local = moment(digits(text, 0, 4), static_cast<unsigned>(*month), digits(text, 8, 2),
                            text.substr(11, 8));
  const auto offset = offset_of(text.substr(19));
  if (!local || !offset) return std::nullopt;
  return *local - *offset;
}

std::optional<milliseconds> from_date(const io::HttpHead& head, std::optional<Seconds> then) {
  const auto date = head.header("date");
  const auto now = date ? parse_http_date(*date) : std::nullopt;
  if (!now || !then) return std::nullopt;
  const std::chrono::duration<double, std::milli> wait = *then - *now;
  return bounded(wait.count());
}

std::optional<milliseconds> retry_after(const io::HttpHead& head) {
  if (const auto text = head.header("retry-after-ms")) {
    std::string_view rest = *text;
    const auto number = take_number(rest);
    if (number && rest.empty()) return bounded(*number);
  }
  const auto text = head.header("retry-after");
  if (!text) return std::nullopt;
  if (const auto duration = parse_duration(*text)) return duration;
  return from_date(head, parse_http_date(*text));
}

}  // namespace clever::provider::internal
