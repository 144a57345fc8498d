#include "mcp/internal/parameter_headers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/base64.h"
#include "base/text.h"

namespace clever::mcp::internal {
namespace {

constexpr std::string_view kAnnotation = "x-mcp-header";
constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";

bool is_token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

/// Walks a schema; only chains of `properties` may carry annotations.
class Reader {
 public:
  base::Result<void> read(const Json& schema, bool reachable) {
    if (schema.is_array()) {
      for (const Json& item : schema) CLEVER_TRY(read(item, false));
    }
    if (!schema.is_object()) return {};
    if (schema.contains(kAnnotation)) CLEVER_TRY(take(schema, reachable));
    for (const auto& [key, value] : schema.items()) {
      if (key == "properties" && value.is_object()) {
        CLEVER_TRY(read_properties(value, reachable));
      } else if (key != kAnnotation && key != "default" && key != "const" && key != "enum" &&
                 key != "examples") {
        CLEVER_TRY(read(value, false));
      }
    }
    return {};
  }

  std::vector<ParameterHeader> headers{};

 private:
  base::Result<void> read_properties(const Json& properties, bool reachable) {
    for (const auto& [name, schema] : properties.items()) {
      path_.push_back(name);
      CLEVER_TRY(read(schema, reachable));
      path_.pop_back();
    }
    return {};
  }

  base::Result<void> take(const Json& schema, bool reachable) {
    const std::string name = text_of(schema[kAnnotation]);
    const std::string type = text_of(member(schema, "type"));
    if (!reachable || path_.empty()) return bad(name, "is not on a chain of properties");
    if (name.empty() || !std::ranges::all_of(name, is_token_character)) {
      return bad(name, "is not a valid header name");
    }
    if (type != "string" && type != "integer" && type != "boolean") {
      return bad(name, "is not on a string, integer or boolean");
    }
    if (!seen_.insert(base::lower_case(name)).second) return bad(name, "occurs twice");
    headers.push_back({.name = "Mcp-Param-" + name, .path = path_});
    return {};
  }

  static base::Error bad(std::string_view name, std::string_view why) {
    return base::invalid_argument("its x-mcp-header \"" + shown(name, 100) + "\" " +
                                  std::string(why));
  }

  std::vector<std::string> path_{};
  std::set<std::string> seen_{};
};

const Json& at_path(const Json& arguments, const std::vector<std::string>& path) {
  const Json* value = &arguments;
  for (const std::string& name : path) value = &member(*value, name);
  return *value;
}

std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer() || value.is_boolean()) return value.dump();
  return {};
}

bool fits_a_header(std::string_view text) {
  if (text.starts_with(' ') || text.ends_with(' ')) return false;
  if (text.starts_with(kEncodedBegin) && text.ends_with(kEncodedEnd)) return false;
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
}

}  // namespace

base::Result<std::vector<ParameterHeader>> parameter_headers(const Json& schema) {
  Reader reader;
  CLEVER_TRY(reader.read(schema, true));
  return std::move(reader.headers);
}

std::vector<io::HttpHeader> header_values(const std::vector<ParameterHeader>& headers,
                                          const Json& arguments) {
  std::vector<io::HttpHeader> values;
  for (const ParameterHeader& header : headers) {
    const Json& value = at_path(arguments, header.path);
    if (value.is_string() || value.is_number_integer() || value.is_boolean()) {
      values.push_back({.name = header.name, .value = header_value(plain_text(value))});
    }
  }
  return values;
}

std::string header_value(std::string_view text) {
  if (fits_a_header(text)) return std::string(text);
  std::string encoded(kEncodedBegin);
  base::append_base64(encoded, text);
  return encoded.append(kEncodedEnd);
}

}  // namespace clever::mcp::internal
