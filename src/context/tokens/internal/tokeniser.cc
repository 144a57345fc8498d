#include "context/tokens/internal/tokeniser.h"

#include <string>
#include <utility>

#include "base/utf8.h"
#include "context/tokens/internal/byte_pairs.h"
#include "context/tokens/internal/token_data.h"

namespace clever::context::internal {
namespace {

const std::shared_ptr<const Characters>& characters() {
  static const auto kCharacters = std::make_shared<const Characters>(characters_data());
  return kCharacters;
}

Tokeniser built_in(std::string_view packed, Pieces::Rule rule) {
  return {Vocabulary::unpack(packed).value(), characters(), rule};
}

}  // namespace

Tokeniser::Tokeniser(Vocabulary vocabulary, std::shared_ptr<const Characters> characters,
                     Pieces::Rule rule)
    : vocabulary_(std::move(vocabulary)), characters_(std::move(characters)), rule_(rule) {}

template <class F>
void Tokeniser::while_each_piece(std::string_view text, F&& each) const {
  std::string mended;
  if (!base::is_utf8(text)) text = mended = base::to_valid_utf8(text);
  Pieces pieces(text, *characters_, rule_);
  for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    if (!each(piece)) return;
  }
}

std::vector<std::uint32_t> Tokeniser::tokens(std::string_view text) const {
  std::vector<std::uint32_t> tokens;
  BytePairs pairs(vocabulary_);
  while_each_piece(text, [&](std::string_view piece) {
    pairs.append_tokens(piece, tokens);
    return true;
  });
  return tokens;
}

std::size_t Tokeniser::count(std::string_view text, std::size_t most) const {
  std::size_t count = 0;
  PieceCounts counts(vocabulary_);
  while_each_piece(text, [&](std::string_view piece) {
    count += counts.of(piece);
    return count <= most;
  });
  return count;
}

const Tokeniser& o200k() {
  static const Tokeniser kTokeniser = built_in(o200k_data(), Pieces::Rule::kO200k);
  return kTokeniser;
}

const Tokeniser& cl100k() {
  static const Tokeniser kTokeniser = built_in(cl100k_data(), Pieces::Rule::kCl100k);
  return kTokeniser;
}

}  // namespace clever::context::internal
