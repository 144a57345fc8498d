#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "context/tokens/internal/pieces.h"
#include "context/tokens/internal/token_data.h"
#include "context/tokens/internal/tokeniser.h"

namespace {

namespace internal = clever::context::internal;

// Pieces are never empty, and joined they are the text.
void check_pieces(std::string_view text, const internal::Characters& characters,
                  internal::Pieces::Rule rule) {
  internal::Pieces pieces(text, characters, rule);
  std::size_t size = 0;
  for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) size += piece.size();
  if (size != text.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const internal::Characters kCharacters(internal::characters_data());
  const std::string text = clever::base::to_valid_utf8(bytes);
  check_pieces(text, kCharacters, internal::Pieces::Rule::kCl100k);
  check_pieces(text, kCharacters, internal::Pieces::Rule::kO200k);
  const auto tokens = internal::o200k().tokens(bytes);
  if (tokens.size() > text.size()) std::abort();
  for (const std::uint32_t token : tokens) {
    if (token == internal::Vocabulary::kNone) std::abort();
  }
  if (internal::cl100k().count(bytes) > text.size()) std::abort();
  return 0;
}
