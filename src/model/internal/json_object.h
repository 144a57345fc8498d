#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/id.h"

namespace clever::model::internal {

/// JSON text without line ends; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string to_text(const nlohmann::json& value);

/// The data of an event, read key by key. Total: whatever the text, the answer is a value or
/// `invalid_argument` that names the place and the key. Unknown keys are ignored, so that a newer
/// program may add some.
class JsonObject {
 public:
  /// `place` names what is read, for messages: "plan.created".
  [[nodiscard]] static base::Result<JsonObject> parse(std::string_view text, std::string place);

  /// A missing key and one that is null are the same.
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  [[nodiscard]] base::Result<std::string> text(std::string_view key) const;
  [[nodiscard]] base::Result<std::string> text_or(std::string_view key, std::string fallback) const;
  [[nodiscard]] base::Result<std::int64_t> integer(std::string_view key) const;
  [[nodiscard]] base::Result<std::int64_t> integer_or(std::string_view key,
                                                      std::int64_t fallback) const;
  [[nodiscard]] base::Result<std::optional<double>> real(std::string_view key) const;
  [[nodiscard]] base::Result<std::vector<std::string>> texts(std::string_view key) const;
  [[nodiscard]] base::Result<std::optional<JsonObject>> object(std::string_view key) const;
  /// Of an array; none if it is missing.
  [[nodiscard]] base::Result<std::vector<JsonObject>> objects(std::string_view key) const;
  /// Any JSON value, as text; "null" if there is none.
  [[nodiscard]] std::string json_text(std::string_view key) const;

  template <class Id>
  [[nodiscard]] base::Result<Id> id(std::string_view key) const {
    CLEVER_ASSIGN(const std::string written, text(key));
    return read<Id>(key, Id::parse(written));
  }
  template <class Id>
  [[nodiscard]] base::Result<Id> id_or_none(std::string_view key) const {
    if (!has(key)) return Id();
    return id<Id>(key);
  }

  /// Adds the place and the key to what another parser said of the value.
  template <class T>
  [[nodiscard]] base::Result<T> read(std::string_view key, base::Result<T> parsed) const {
    return std::move(parsed).context(place_ + ": \"" + std::string(key) + "\"");
  }
  [[nodiscard]] base::Error wrong(std::string_view key, std::string_view wanted) const;

 private:
  JsonObject(nlohmann::json value, std::string place)
      : value_(std::move(value)), place_(std::move(place)) {}
  [[nodiscard]] const nlohmann::json* find(std::string_view key) const;

  nlohmann::json value_;
  std::string place_;
};

}  // namespace clever::model::internal
