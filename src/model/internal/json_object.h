#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/id.h"

namespace clever::model::internal {

/// JSON text without line ends; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_text(const nlohmann::json& value);

/// A text that a database accepts: UTF-8 without NUL; other bytes become U+FFFD.
[[nodiscard]] std::string storable(std::string text);
/// Writes a text unless it is empty.
void put_text(nlohmann::json& object, const char* key, const std::string& text);
/// Writes texts, if there are any.
void put_texts(nlohmann::json& object, const char* key, const std::vector<std::string>& texts);
/// Writes bytes such as paths, if there are any: each a string if it is text, else {"base64":…}.
void put_bytes(nlohmann::json& object, const char* key, const std::vector<std::string>& values);

/// The data of an event, parsed key by key. Total: any text yields a value or an `invalid_argument`
/// that names the place and the key. Ignores unknown keys, so that a newer program may add some.
class JsonObject {
 public:
  /// `place` names the text in messages: "plan.created".
  [[nodiscard]] static base::Result<JsonObject> parse(std::string_view text, std::string place);

  /// A key with null counts as missing.
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  [[nodiscard]] base::Result<std::string> text(std::string_view key) const;
  [[nodiscard]] base::Result<std::string> text_or(std::string_view key, std::string fallback) const;
  [[nodiscard]] base::Result<std::int64_t> integer(std::string_view key) const;
  [[nodiscard]] base::Result<std::int64_t> integer_or(std::string_view key,
                                                      std::int64_t fallback) const;
  [[nodiscard]] base::Result<bool> flag_or(std::string_view key, bool fallback) const;
  [[nodiscard]] base::Result<std::optional<double>> real(std::string_view key) const;
  [[nodiscard]] base::Result<std::vector<std::string>> texts(std::string_view key) const;
  [[nodiscard]] base::Result<std::optional<JsonObject>> object(std::string_view key) const;
  /// The objects of an array; none if it is missing.
  [[nodiscard]] base::Result<std::vector<JsonObject>> objects(std::string_view key) const;
  /// Bytes, as put_bytes() wrote them; none if the key is missing.
  [[nodiscard]] base::Result<std::vector<std::string>> byte_strings(std::string_view key) const;
  /// Texts by name.
  [[nodiscard]] base::Result<std::map<std::string, std::string>> dictionary(
      std::string_view key) const;
  /// Any JSON value, as text; "null" if there is none.
  [[nodiscard]] std::string json_text(std::string_view key) const;

  /// 64 hexadecimal digits.
  [[nodiscard]] base::Result<base::Sha256Digest> digest(std::string_view key) const;
  template <class Id>
  [[nodiscard]] base::Result<std::vector<Id>> ids(std::string_view key) const {
    CLEVER_ASSIGN(const std::vector<std::string> written, texts(key));
    std::vector<Id> result;
    for (const std::string& one : written) {
      CLEVER_ASSIGN(const Id parsed, read(key, Id::parse(one)));
      result.push_back(parsed);
    }
    return result;
  }
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

  /// Adds the place and the key to another parser's error.
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
