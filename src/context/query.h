#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Parses what a task's text names. Pure functions of the text.
namespace clever::context {

/// A path in a text, with the line after it ("src/plan.cc:120", `File "plan.py", line 7`); 0 if
/// none.
struct NamedPath {
  std::string path{};
  std::uint32_t line = 0;
  friend bool operator==(const NamedPath&, const NamedPath&) = default;
};

/// In text order, without duplicates.
struct Query {
  /// The text, cut, as UTF-8, without lines for machines ("Signed-off-by: …").
  std::string text{};
  /// Its first line, which the rest explains.
  std::string title{};
  /// Names of code: "parse_line", "HttpServer", "run()", "std::string", and any single word in
  /// `backquotes`. The last part of a qualified name also by itself.
  std::vector<std::string> identifiers{};
  /// Paths, and the places of stack traces.
  std::vector<NamedPath> paths{};
  /// Quoted texts that are longer than a word.
  std::vector<std::string> quoted{};
  /// The plain words, in lower case, without stop words.
  std::vector<std::string> words{};
  friend bool operator==(const Query&, const Query&) = default;
};

inline constexpr std::size_t kLongestQuery = std::size_t{64} << 10U;
/// The most names of each kind.
inline constexpr std::size_t kMostNames = 64;

/// Never fails, for any length and encoding. Linear in at most kLongestQuery bytes.
[[nodiscard]] Query parse_query(std::string_view text);

/// The words to search for, of the whole text or its title alone, in one line.
[[nodiscard]] std::string search_text(const Query& query);
[[nodiscard]] std::string search_title(const Query& query);

/// Stop words: "the", "with", "should". Lower case.
[[nodiscard]] bool says_nothing(std::string_view word) noexcept;

}  // namespace clever::context
