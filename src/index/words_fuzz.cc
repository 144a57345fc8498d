#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "index/internal/ranking.h"
#include "index/words.h"

// For any text, its words are short, valid, in lower case, and stable: each is its own only word.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string& word : clever::index::words_of(text)) {
    CLEVER_CHECK(word.size() >= 2 && word.size() <= clever::index::kLongestWord, word);
    CLEVER_CHECK(clever::base::is_utf8(word), "not UTF-8");
    CLEVER_CHECK(word.starts_with(clever::index::stem_of(word)), word);
    // Within a name a part may begin with a number that alone would be data.
    const bool number = word.front() >= '0' && word.front() <= '9';
    const auto again = clever::index::words_of(word);
    CLEVER_CHECK(number || (!again.empty() && again.front() == word), word);
  }
  for (const std::string& word : clever::index::internal::query_words(text)) {
    for (const std::string& form : clever::index::internal::other_forms(word)) {
      CLEVER_CHECK(clever::index::stem_of(form) == clever::index::stem_of(word), form);
    }
  }
  return 0;
}
