#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace clever::tool::internal {

/// The input of a built-in tool: an object of strings, integers and flags. A value. A missing
/// value, or one of another kind, gives the fallback: the schema has already checked required ones.
class ToolInput {
 public:
  /// `invalid_argument` unless it is a JSON object; ignores values of other kinds.
  [[nodiscard]] static base::Result<ToolInput> parse(std::string_view text);

  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }

 private:
  using Value = std::variant<std::string, std::int64_t, bool>;
  template <class T>
  [[nodiscard]] const T* find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : std::get_if<T>(&found->second);
  }

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace clever::tool::internal
