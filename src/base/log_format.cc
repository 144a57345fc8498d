#include "base/log_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <type_traits>

#include "base/internal/characters.h"
#include "base/utf8.h"

namespace clever::base {
namespace {

// Indexed by LogLevel.
constexpr std::array<std::string_view, 6> kColours = {"\x1b[90m", "\x1b[36m", "\x1b[32m",
                                                      "\x1b[33m", "\x1b[31m", ""};
constexpr std::string_view kColourEnd = "\x1b[0m";

void append_padded(std::string& text, std::int64_t number, std::size_t digits) {
  const std::string plain = std::to_string(number);
  text.append(digits - std::min(digits, plain.size()), '0').append(plain);
}

void append_unicode_escape(std::string& text, char32_t code_point) {
  constexpr std::string_view kHex = "0123456789abcdef";
  text.append("\\u");
  for (unsigned shift = 16; shift > 0; shift -= 4)
    text.push_back(kHex[code_point >> (shift - 4) & 15U]);
}

// For text and JSON: writes invisible characters as escapes.
void append_escaped(std::string& out, std::string_view text, std::string_view also_escaped) {
  constexpr std::string_view kShort = "\n\r\t";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode_utf8(text, at);
    at += next.size;
    const char c = next.value < 0x80 ? static_cast<char>(next.value) : '\x7f';
    if (const auto i = kShort.find(c); i != std::string_view::npos) {
      out.append({'\\', std::string_view("nrt")[i]});
    } else if (is_invisible_control(next.value)) {
      append_unicode_escape(out, next.value);
    } else if (also_escaped.contains(c)) {
      out.append({'\\', c});
    } else {
      append_utf8(out, next.value);
    }
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out.push_back('"');
  append_escaped(out, text, "\"\\");
  out.push_back('"');
}

bool needs_quotes(std::string_view text) {
  return text.empty() || std::ranges::any_of(text, [](char c) {
           return static_cast<unsigned char>(c) >= 0x7f || c <= ' ' || c == '"' || c == '=' ||
                  c == '\\';
         });
}

std::string number_text(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

template <class AppendText>
void append_number(std::string& out, double number, AppendText append_text) {
  // JSON has no infinity and no NaN.
  if (!std::isfinite(number)) return append_text(out, number_text(number));
  out.append(number_text(number));
}

void append_where_needed_quoted(std::string& out, std::string_view text) {
  if (needs_quotes(text)) return append_quoted(out, text);
  out.append(text);
}

// The common part of both formats; `append_text` writes texts.
template <class AppendText>
void append_value(std::string& out, const LogValue& value, AppendText append_text) {
  std::visit(
      [&](const auto& held) {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::string>) {
          append_text(out, held);
        } else if constexpr (std::is_same_v<T, bool>) {
          out.append(held ? "true" : "false");
        } else if constexpr (std::is_same_v<T, double>) {
          append_number(out, held, append_text);
        } else {
          out.append(std::to_string(held));
        }
      },
      value);
}

void append_text_key(std::string& out, std::string_view key) {
  for (const char c : key) {
    const bool plain = internal::is_alphanumeric(c) || c == '_' || c == '-' || c == '.';
    out.push_back(plain ? c : '_');
  }
}

std::string json_key(std::string_view key) {
  const bool taken = key == "time" || key == "level" || key == "message";
  return std::string(key).append(taken ? "_" : "");
}

}  // namespace

std::string format_time(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::milliseconds>(time - day));
  std::string text;
  append_padded(text, static_cast<int>(date.year()), 4);
  append_padded(text.append("-"), static_cast<unsigned>(date.month()), 2);
  append_padded(text.append("-"), static_cast<unsigned>(date.day()), 2);
  append_padded(text.append("T"), clock.hours().count(), 2);
  append_padded(text.append(":"), clock.minutes().count(), 2);
  append_padded(text.append(":"), clock.seconds().count(), 2);
  append_padded(text.append("."), clock.subseconds().count(), 3);
  return text.append("Z");
}

std::string format_text(const LogRecord& record, bool coloured) {
  std::string line = format_time(record.time).append(" ");
  if (coloured) line.append(kColours[static_cast<std::size_t>(record.level)]);
  line.append(to_string(record.level));
  if (coloured) line.append(kColourEnd);
  append_escaped(line.append(" "), record.message, "");
  for (const auto& [key, value] : record.fields) {
    append_text_key(line.append(" "), key);
    append_value(line.append("="), value, append_where_needed_quoted);
  }
  return line;
}

std::string format_json(const LogRecord& record) {
  std::string line = "{\"time\":\"" + format_time(record.time) + "\",\"level\":\"";
  line.append(to_string(record.level)).append("\",\"message\":");
  append_quoted(line, record.message);
  for (const auto& [key, value] : record.fields) {
    append_quoted(line.append(","), json_key(key));
    append_value(line.append(":"), value, append_quoted);
  }
  return line.append("}");
}

std::string format(const LogRecord& record, LogFormat format) {
  if (format == LogFormat::kJson) return format_json(record);
  return format_text(record, format == LogFormat::kColouredText);
}

}  // namespace clever::base
