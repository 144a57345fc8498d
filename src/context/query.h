#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a task's text names. Plain functions of the text alone.
namespace clever::context {

/// A path in a text, with the line that follows it ("src/plan.cc:120", `File "plan.py", line 7`);
/// 0: none.
struct NamedPath {
  std::string path{};
  std::uint32_t line = 0;
  friend bool operator==(const NamedPath&, const NamedPath&) = default;
};

/// In the order of the text, each once.
struct Query {
  /// The text, cut, as UTF-8, without lines that are for machines ("Signed-off-by: …").
  std::string text{};
  /// Its first line: what it is about, where the rest explains.
  std::string title{};
  /// What looks like a name of code: "parse_line", "HttpServer", "run()", "std::string", and
  /// whatever stands in `backquotes` as one word. The last part of a qualified one also by itself.
  std::vector<std::string> identifiers{};
  /// What looks like a path, and the places of stack traces.
  std::vector<NamedPath> paths{};
  /// What stands in quotes and is longer than a word.
  std::vector<std::string> quoted{};
  /// The plain words, in lower case, without those that every text has.
  std::vector<std::string> words{};
  friend bool operator==(const Query&, const Query&) = default;
};

inline constexpr std::size_t kLongestQuery = std::size_t{64} << 10U;
/// Of each kind; more says nothing.
inline constexpr std::size_t kMostNames = 64;

/// Never fails; a text of any length and encoding. Linear in at most kLongestQuery bytes.
[[nodiscard]] Query parse_query(std::string_view text);

/// The words of the whole, or of its title alone, in one line: what to search for.
[[nodiscard]] std::string search_text(const Query& query);
[[nodiscard]] std::string search_title(const Query& query);

/// "the", "with", "should": words that say nothing about where to look. Lower case.
[[nodiscard]] bool says_nothing(std::string_view word) noexcept;

}  // namespace clever::context
