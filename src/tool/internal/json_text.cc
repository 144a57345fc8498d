#include "tool/internal/json_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "tool/internal/filled.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

// The nesting depth of lists and objects, also in text that is not JSON.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

base::Error no_json(std::string_view text, std::size_t at, std::string_view what) {
  constexpr std::size_t kAround = 30;
  const std::size_t end = std::min(at, text.size());
  const std::size_t from = end > kAround ? end - kAround : 0;
  const std::string near = base::to_valid_utf8(text.substr(from, end - from));
  return base::invalid_argument(filled("not JSON: {} at byte {}, after `{}`", what, end, near));
}

// Extracts the library's reason from "… syntax error while parsing value - invalid literal; last
// read: …".
std::string reason(std::string_view what) {
  if (const auto dash = what.find(" - "); dash != std::string_view::npos)
    what.remove_prefix(dash + 3);
  what = what.substr(0, what.find("; last read"));
  return base::to_valid_utf8(what.substr(0, 100));
}

}  // namespace

base::Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    return base::resource_exhausted(filled("is too large: {} bytes, and at most {} are read",
                                           grouped(text.size()), grouped(limits.bytes)));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return base::invalid_argument("is empty: at least {} is needed");
  }
  if (depth_of(text) > limits.depth) {
    return base::resource_exhausted(
        filled("is nested deeper than {} levels; make it flatter", limits.depth));
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return no_json(text, error.byte, reason(error.what()));
  } catch (const Json::exception& error) {
    return base::invalid_argument("not JSON: " + reason(error.what()));
  }
}

std::string to_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shown(const Json& value) {
  constexpr std::size_t kShown = 60;
  const bool large = value.is_structured() && value.size() > kShown;
  if (large) return filled("{} of {}", value.is_array() ? "a list" : "an object", value.size());
  const std::string text =
      value.is_string()
          ? to_text(Json(base::utf8_prefix(value.get_ref<const std::string&>(), kShown + 1)))
          : to_text(value);
  const std::string_view prefix = base::utf8_prefix(text, kShown);
  return std::string(prefix) + (prefix.size() < text.size() ? "…" : "");
}

std::string_view kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return "an integer";
    default:
      return "a number";
  }
}

}  // namespace clever::tool::internal
