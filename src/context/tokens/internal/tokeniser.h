#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "context/tokens/internal/characters.h"
#include "context/tokens/internal/pieces.h"
#include "context/tokens/internal/vocabulary.h"

namespace clever::context::internal {

/// A tokeniser of OpenAI's models. Immutable, thread-safe. Treats names of special tokens as
/// ordinary text, because context is never a command. Invalid UTF-8 counts as the replacement
/// characters that are sent for it.
class Tokeniser {
 public:
  Tokeniser(Vocabulary vocabulary, std::shared_ptr<const Characters> characters, Pieces::Rule rule);

  [[nodiscard]] std::vector<std::uint32_t> tokens(std::string_view text) const;
  /// Stops beyond `most`.
  [[nodiscard]] std::size_t count(std::string_view text, std::size_t most = SIZE_MAX) const;

 private:
  /// Until each(piece) returns false.
  template <class F>
  void while_each_piece(std::string_view text, F&& each) const;

  // Constant after construction.
  const Vocabulary vocabulary_;
  const std::shared_ptr<const Characters> characters_;
  const Pieces::Rule rule_;
};

/// Unpacked on first use, once per process.
[[nodiscard]] const Tokeniser& o200k();
[[nodiscard]] const Tokeniser& cl100k();

}  // namespace clever::context::internal
