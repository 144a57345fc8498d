#include "git/internal/blame_output.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/utf8.h"

namespace clever::git::internal {
namespace {

template <class T>
T number_from(std::string_view digits) {
  T number{};
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::string padded(std::int64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// Minutes east of Greenwich.
std::chrono::minutes offset_of(std::string_view zone) {
  const bool west = zone.starts_with('-');
  if (!zone.empty()) zone.remove_prefix(1);
  const int digits = number_from<int>(zone);
  const std::chrono::minutes offset(digits / 100 * 60 + digits % 100);
  return west ? -offset : offset;
}

// The header of a line's block: everything before its text.
struct Block {
  BlameLine line;
  std::int64_t seconds = 0;
  std::string_view zone;

  void take(std::string_view header) {
    const std::size_t space = std::min(header.find(' '), header.size());
    const std::string_view key = header.substr(0, space);
    const std::string_view value = header.substr(std::min(space + 1, header.size()));
    if (const auto id = ObjectId::from_hex(key); id.ok()) {
      begin(*id, value);
    } else if (key == "author") {
      line.author = base::to_valid_utf8(value);
    } else if (key == "author-time") {
      seconds = number_from<std::int64_t>(value);
    } else if (key == "author-tz") {
      zone = value;
    } else if (key == "summary") {
      line.subject = base::to_valid_utf8(value);
    }
  }

  // "ID original-line final-line count"
  void begin(const ObjectId& id, std::string_view numbers) {
    if (id) line.commit = id;
    const std::size_t space = std::min(numbers.find(' '), numbers.size());
    numbers.remove_prefix(std::min(space + 1, numbers.size()));
    line.line = number_from<std::uint64_t>(numbers);
  }

  [[nodiscard]] BlameLine finished(std::string_view text) && {
    line.text = text;
    if (line.commit) {
      line.date = iso_date(seconds, zone);
    } else {
      line.author = "not committed";
      line.subject.clear();
    }
    return std::move(line);
  }
};

}  // namespace

std::string iso_date(std::int64_t seconds, std::string_view zone) {
  using std::chrono::days;
  // Keeps a damaged commit's date within the calendar.
  constexpr std::int64_t kYear = 31'556'952;
  seconds = std::clamp<std::int64_t>(seconds, -1000 * kYear, 8000 * kYear);
  const auto offset = offset_of(zone);
  const auto local = std::chrono::sys_seconds(std::chrono::seconds(seconds)) + offset;
  const auto day = std::chrono::floor<days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(local - day);
  const auto away = std::chrono::abs(offset);
  return padded(static_cast<int>(date.year()), 4) + "-" +
         padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2) + "T" + padded(time.hours().count(), 2) +
         ":" + padded(time.minutes().count(), 2) + ":" + padded(time.seconds().count(), 2) +
         (offset.count() < 0 ? "-" : "+") + padded(away.count() / 60, 2) + ":" +
         padded(away.count() % 60, 2);
}

std::vector<BlameLine> parse_blame(std::string_view output) {
  std::vector<BlameLine> lines;
  Block block;
  while (true) {
    const std::size_t end = output.find('\n');
    if (end == std::string_view::npos) return lines;
    const std::string_view header = output.substr(0, end);
    output.remove_prefix(end + 1);
    if (header.starts_with('\t')) {
      lines.push_back(std::move(block).finished(header.substr(1)));
      block = Block();
    } else {
      block.take(header);
    }
  }
}

}  // namespace clever::git::internal
