#include "model/permission_pattern.h"

#include <algorithm>

#include "base/utf8.h"

namespace clever::model {
namespace {

constexpr std::size_t kLongest = 1'000;
constexpr std::size_t kLongestShown = 60;

bool is_tool_name(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '*' || c == '?';
  });
}

// A comma ends a rule in a list unless it is in parentheses, so each rule must have balanced
// parentheses.
bool is_balanced(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) return false;
  }
  return depth == 0;
}

// Returns what is wrong with the argument after a tool's name, both parentheses included.
std::string complaint_about(std::string_view argument) {
  if (!argument.ends_with(')')) return "the ) at its end is missing";
  const std::string_view inside = argument.substr(1, argument.size() - 2);
  if (inside.find_first_not_of(" \t") == std::string_view::npos) {
    return "there is nothing between ( and )";
  }
  if (!is_balanced(inside)) return "a ( in it is not closed, or a ) not opened";
  return {};
}

std::string complaint_about_rule(std::string_view text, std::size_t open) {
  if (text.size() > kLongest) return "it is longer than " + std::to_string(kLongest) + " bytes";
  if (open == 0) return "it names no tool";
  if (!is_tool_name(text.substr(0, open))) return "a tool's name has letters, digits, _ and -";
  constexpr std::string_view kNeverInIt{"\n\r\0", 3};
  if (text.find_first_of(kNeverInIt) != std::string_view::npos ||
      base::to_valid_utf8(text) != text) {
    return "it must be one line of UTF-8 text";
  }
  return open == text.size() ? std::string() : complaint_about(text.substr(open));
}

}  // namespace

base::Result<PermissionPattern> parse_permission(std::string_view text) {
  const std::size_t open = std::min(text.find('('), text.size());
  if (const std::string complaint = complaint_about_rule(text, open); !complaint.empty()) {
    const std::string valid = base::to_valid_utf8(text);
    return base::invalid_argument(
        "\"" + std::string(base::utf8_prefix(valid, kLongestShown)) +
        "\" is not a rule: " + complaint +
        "; write a tool such as write_file, or a tool and what it is called with, such as "
        "run_command(git push *)");
  }
  PermissionPattern pattern{.tool = std::string(text.substr(0, open))};
  if (open < text.size()) pattern.argument = text.substr(open + 1, text.size() - open - 2);
  return pattern;
}

}  // namespace clever::model
