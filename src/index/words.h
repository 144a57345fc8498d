#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The words of code and prose: one definition for what is indexed and for what is asked.
namespace clever::index {

inline constexpr std::size_t kLongestWord = 64;

/// In order, with repetitions, all in lower case: each identifier as a whole and, if it has several
/// parts ("parseHttpURL2", "max_line"), each part. Words of other scripts by their letters; broken
/// UTF-8 separates. Longer ones than kLongestWord are left out (they are data), as are words of one
/// character.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

/// The form under which a word is looked up beside itself: without the endings of English plurals
/// and verbs ("parsing", "parsed", "parses" -> "pars"). The word itself if it has none.
[[nodiscard]] std::string_view stem_of(std::string_view word) noexcept;

}  // namespace clever::index
