#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "context/tokens/internal/characters.h"
#include "context/tokens/internal/pieces.h"
#include "context/tokens/internal/vocabulary.h"

namespace clever::context::internal {

/// A tokeniser as OpenAI's models have it. Immutable, thread-safe. Names of special tokens are text
/// like any other: context is never a command. Bytes that are not UTF-8 count as the replacement
/// characters that they are sent as.
class Tokeniser {
 public:
  Tokeniser(Vocabulary vocabulary, std::shared_ptr<const Characters> characters, Pieces::Rule rule);

  [[nodiscard]] std::vector<std::uint32_t> tokens(std::string_view text) const;
  /// Stops where there are more than `most`.
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

/// Unpacked when they are first asked for, once for the process.
[[nodiscard]] const Tokeniser& o200k();
[[nodiscard]] const Tokeniser& cl100k();

}  // namespace clever::context::internal
