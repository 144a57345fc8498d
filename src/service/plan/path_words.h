#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::service {

/// The words of a text, in which paths may stand as shells, terminals and file managers write them:
/// 'my picture.png', "my picture.png", my\ picture.png, @picture.png, file:///my%20picture.png.
/// Punctuation around a word is dropped. A quote that does not close is plain text.
[[nodiscard]] std::vector<std::string> path_words(std::string_view text);

}  // namespace clever::service
