#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::provider::internal {

class JsonDocument;

/// A value inside a JsonDocument, or nothing: reading a missing value, or one of another kind,
/// gives an empty result and never fails. A missing value equals null. Valid until the document
/// parses again.
class JsonView {
 public:
  JsonView() = default;

  [[nodiscard]] bool exists() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_true() const;

  /// The member of an object; the first one of duplicates.
  [[nodiscard]] JsonView operator[](std::string_view key) const;
  /// The element of an array.
  [[nodiscard]] JsonView at(std::size_t position) const;

  /// A string as valid UTF-8; empty for other kinds.
  [[nodiscard]] std::string text() const;
  void append_text(std::string& text) const;
  /// Whether it is this string.
  [[nodiscard]] bool is(std::string_view text) const;
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// The value as written; strings with their quotation marks.
  [[nodiscard]] std::string_view raw() const;

  /// The elements of an array, or the values of an object.
  class Iterator {
   public:
    Iterator(const JsonDocument* document, std::uint32_t index, bool keyed)
        : document_(document), index_(index), keyed_(keyed) {}
    JsonView operator*() const;
    Iterator& operator++();
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    const JsonDocument* document_;
    std::uint32_t index_;
    bool keyed_;
  };
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

 private:
  friend class JsonDocument;
  JsonView(const JsonDocument* document, std::uint32_t index)
      : document_(document), index_(index) {}

  const JsonDocument* document_ = nullptr;
  std::uint32_t index_ = 0;
};

/// JSON text split into its values without copying, for the thousands of small events of a stream.
/// Accepts strict JSON (RFC 8259), except that strings may hold any bytes, which text() repairs.
///
/// Used by one thread. Reuse it for further parse() calls: it keeps its memory.
class JsonDocument {
 public:
  static constexpr std::size_t kDeepest = 128;
  static constexpr std::size_t kLongest = std::size_t{256} << 20U;

  /// Returns false if the text is not JSON, nested too deeply or too long; then root() is nothing.
  /// The text must outlive the views.
  bool parse(std::string_view text);
  [[nodiscard]] JsonView root() const;

 private:
  friend class JsonView;
  enum class Kind : std::uint8_t { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };
  // Values in text order. The members of an object are pairs of a string and a value.
  struct Node {
    Kind kind;
    bool escaped = false;     // a string with a backslash in it
    std::uint32_t after = 0;  // the node after this one and all inside it
    std::uint32_t begin = 0;  // in the text
    std::uint32_t end = 0;
  };

  bool value(std::size_t depth);
  bool object(std::size_t depth);
  bool array(std::size_t depth);
  bool string();
  bool escape();
  bool number();
  bool digits();
  bool word(std::string_view word, Kind kind);
  void skip_space();
  [[nodiscard]] bool next_is(char c);
  std::uint32_t open(Kind kind);
  bool close(std::uint32_t node);

  std::string_view text_{};
  std::size_t at_ = 0;
  std::vector<Node> nodes_{};
};

/// Whether the text is an object, or an array, that JsonDocument can read.
[[nodiscard]] bool is_json_object(std::string_view text);
[[nodiscard]] bool is_json_array(std::string_view text);

}  // namespace clever::provider::internal
