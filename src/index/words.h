#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The words of code and prose: one definition for indexing and querying.
namespace clever::index {

inline constexpr std::size_t kLongestWord = 64;

/// In order, with repetitions, in lower case: each identifier as a whole and, if it has several
/// parts ("parseHttpURL2", "max_line"), each part. Words of other scripts by their letters; broken
/// UTF-8 separates words. Leaves out words longer than kLongestWord (data), and words of one
/// character.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

/// The form under which a word is also looked up: without the endings of English plurals and verbs
/// ("parsing", "parsed", "parses" -> "pars"). The word itself if it has none.
[[nodiscard]] std::string_view stem_of(std::string_view word) noexcept;

}  // namespace clever::index
