#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::config::internal {

using Path = std::vector<std::string>;

/// "model.alias.fast"; quotes segments that are not bare keys, so that no two paths look alike.
[[nodiscard]] std::string to_string(const Path& path);
/// Splits a key of the schema into segments.
[[nodiscard]] Path split(std::string_view key);
[[nodiscard]] bool starts_with(const Path& path, const Path& prefix);

/// kTable only occurs inside an array's table.
enum class Kind : std::uint8_t { kString, kInteger, kNumber, kBoolean, kTime, kArray, kTable };
/// "a string", "a whole number", …
[[nodiscard]] std::string_view describe(Kind kind) noexcept;

/// A value and its position. Positions are bytes from the start of the text.
struct Leaf {
  Path path;
  Kind kind;
  /// Equal for equal values, in any notation.
  std::string text;
  std::size_t line;
  /// The position of the key's last segment.
  std::size_t key_begin;
  std::size_t begin;
  std::size_t end;
  /// Inside `{ … }`, whose entries share a line.
  bool in_braces;
  /// Only for an array of strings; otherwise empty.
  std::vector<std::string> items;
  bool only_strings;
  /// An array of tables only.
  bool only_tables = false;
};

/// One table of an array: `[[validation]]`, or a pair of braces in `validation = [{ … }]`.
struct Element {
  /// The path of the array.
  Path path;
  std::size_t line;
  std::size_t begin;
  /// After its last value, including subtables.
  std::size_t end;
  bool in_braces;
  /// Paths relative to the table; for a nested table the text is JSON.
  std::vector<Leaf> leaves;
};

enum class Form : std::uint8_t {
  kHeader,       // [a.b]
  kArrayHeader,  // [[a.b]], and [a.b.c] below it
  kBraces,       // created by a longer key
  kDotted,       // came to be through a longer key
};

struct Table {
  Path path;
  Form form;
  std::size_t line;
  std::size_t begin;
  std::size_t end;
};

/// A parsed TOML text. A value.
struct Document {
  std::vector<Leaf> leaves;
  /// Without the root. Tables of an array have the array's path.
  std::vector<Table> tables;
  /// Elements of top-level arrays, in order.
  std::vector<Element> elements;

  [[nodiscard]] const Leaf* leaf(const Path& path) const;
  [[nodiscard]] const Table* table(const Path& path) const;
};

/// `invalid_argument` with "NAME:LINE: " and the reason if it is not TOML, or not UTF-8.
[[nodiscard]] base::Result<Document> parse(std::string_view text, std::string_view name);

}  // namespace clever::config::internal
