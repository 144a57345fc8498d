#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::config::internal {

using Path = std::vector<std::string>;

/// "model.alias.fast"; a segment that is no bare key is quoted, so that no two paths look alike.
[[nodiscard]] std::string to_string(const Path& path);
/// The segments of a key of the schema.
[[nodiscard]] Path split(std::string_view key);
[[nodiscard]] bool starts_with(const Path& path, const Path& prefix);

/// kTable is only that of a value inside an array's table.
enum class Kind : std::uint8_t { kString, kInteger, kNumber, kBoolean, kTime, kArray, kTable };
/// "a string", "a whole number", …
[[nodiscard]] std::string_view describe(Kind kind) noexcept;

/// A value and where it is written. Positions are bytes from the start of the text.
struct Leaf {
  Path path;
  Kind kind;
  /// Equal for equal values, however they are written.
  std::string text;
  std::size_t line;
  /// Of the last segment of the key.
  std::size_t key_begin;
  std::size_t begin;
  std::size_t end;
  /// Inside `{ … }`, whose entries share a line.
  bool in_braces;
  /// Of an array of strings only; empty otherwise.
  std::vector<std::string> items;
  bool only_strings;
  /// An array, and all in it are tables.
  bool only_tables = false;
};

/// One table of an array: `[[validation]]`, or a pair of braces in `validation = [{ … }]`.
struct Element {
  /// Of the array.
  Path path;
  std::size_t line;
  std::size_t begin;
  /// Behind the last of its values, subtables included.
  std::size_t end;
  bool in_braces;
  /// Their paths begin inside the table; of a table in it the text is JSON.
  std::vector<Leaf> leaves;
};

enum class Form : std::uint8_t {
  kHeader,       // [a.b]
  kArrayHeader,  // [[a.b]], and [a.b.c] below it
  kBraces,       // { … }
  kDotted,       // came to be through a longer key
};

struct Table {
  Path path;
  Form form;
  std::size_t line;
  std::size_t begin;
  std::size_t end;
};

/// A TOML text taken apart. A value.
struct Document {
  std::vector<Leaf> leaves;
  /// Without the root. Those of an array bear the path of the array.
  std::vector<Table> tables;
  /// Of arrays that are in no array themselves, in their order.
  std::vector<Element> elements;

  [[nodiscard]] const Leaf* leaf(const Path& path) const;
  [[nodiscard]] const Table* table(const Path& path) const;
};

/// `invalid_argument` with "NAME:LINE: " and the reason if it is not TOML, or not UTF-8.
[[nodiscard]] base::Result<Document> parse(std::string_view text, std::string_view name);

}  // namespace clever::config::internal
