#pragma once
#include <cstddef>
#include <string_view>

namespace clever::base::internal {

/// Whether a word looks machine-made: at least eight characters, with a digit, a capital after a
/// small letter, or longer than words are. Examines at most the first 24 characters.
[[nodiscard]] bool looks_random(std::string_view word);

/// The end of a key or token of well-known shape that begins at `at`, or `at` if there is none. The
/// caller ensures that a word begins there. Constant cost unless there is one.
[[nodiscard]] std::size_t key_shape_end(std::string_view text, std::size_t at);

/// The same for a JSON Web Token: base64 of {"…, a dot, more base64. `word_end` is the end of the
/// base64 characters that begin at `at`.
[[nodiscard]] std::size_t web_token_end(std::string_view text, std::size_t at,
                                        std::size_t word_end);

/// The same for a PEM block that holds a private key.
[[nodiscard]] std::size_t private_key_end(std::string_view text, std::size_t at);

[[nodiscard]] bool is_word_or_dash(char c);

}  // namespace clever::base::internal
