#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace clever::model {

/// A key of a map and its value. A template only because a map's entry holds a Document, which
/// holds maps.
template <class Value>
struct DocumentEntry {
  std::string key;
  Value value;
  friend bool operator==(const DocumentEntry&, const DocumentEntry&) = default;
};

/// A JSON value: null, bool, integer, number, text, list or map. Maps keep
/// the order in which their keys were set, so that output is stable.
///
/// A value; as thread-safe as an int.
class Document {
 public:
  using Entry = DocumentEntry<Document>;
  using List = std::vector<Document>;
  using Map = std::vector<Entry>;
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map>;

  Document() = default;
  template <std::same_as<bool> T>
  Document(T value) : value_(value) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Document(T value) : value_(static_cast<std::int64_t>(value)) {}
  Document(double value) : value_(value) {}
  Document(std::string value) : value_(std::move(value)) {}
  Document(std::string_view value) : value_(std::string(value)) {}
  Document(const char* value) : value_(std::string(value)) {}
  explicit Document(List items) : value_(std::move(items)) {}
  /// The keys must differ.
  explicit Document(Map entries) : value_(std::move(entries)) {}

  [[nodiscard]] static Document list();
  [[nodiscard]] static Document map();
  /// A list of texts.
  [[nodiscard]] static Document texts(const std::vector<std::string>& words);
  [[nodiscard]] static Document texts(const std::vector<std::string_view>& words);

  /// Sets a key of a map; turns null into a map first. Aborts on any other kind.
  Document& set(std::string_view key, Document value) &;
  Document&& set(std::string_view key, Document value) &&;
  /// Appends to a list; turns null into a list first. Aborts on any other kind.
  Document& push(Document value) &;

  [[nodiscard]] const Value& value() const noexcept { return value_; }
  /// The entry of a map, or nullptr.
  [[nodiscard]] const Document* find(std::string_view key) const noexcept;
  [[nodiscard]] bool is_null() const noexcept { return value_.index() == 0; }
  [[nodiscard]] bool is_map() const noexcept { return std::holds_alternative<Map>(value_); }

  friend bool operator==(const Document& left, const Document& right) {
    return left.value_ == right.value_;
  }

 private:
  Value value_;
};

}  // namespace clever::model
