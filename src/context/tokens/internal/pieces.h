#pragma once
#include <cstddef>
#include <string_view>

#include "context/tokens/internal/characters.h"

namespace clever::context::internal {

/// Splits a text into the pieces that are tokenised one by one, as the tokeniser's regular
/// expression does, but hand-written and in linear time. The text is valid UTF-8. Holds only
/// references.
class Pieces {
 public:
  enum class Rule { kCl100k, kO200k };
  Pieces(std::string_view text, const Characters& characters, Rule rule)
      : text_(text), characters_(characters), rule_(rule) {}

  /// Empty only at the end.
  [[nodiscard]] std::string_view next();

 private:
  struct Character {
    CharacterClass kind = CharacterClass::kOther;
    char32_t value = 0;
    std::size_t end = 0;
  };

  [[nodiscard]] Character at(std::size_t place) const;
  [[nodiscard]] bool is_word_prefix(const Character& character) const;
  [[nodiscard]] std::size_t end_of_piece() const;
  // Each returns where its match from a place ends, or 0.
  [[nodiscard]] std::size_t contraction(std::size_t from) const;
  [[nodiscard]] std::size_t letters(std::size_t from) const;
  [[nodiscard]] std::size_t word_with_small_end(std::size_t from) const;
  [[nodiscard]] std::size_t word_of_capitals(std::size_t from) const;
  [[nodiscard]] std::size_t with_contraction(std::size_t end) const;
  template <class F>
  [[nodiscard]] std::size_t with_prefix(F&& match) const;
  [[nodiscard]] std::size_t number() const;
  [[nodiscard]] std::size_t signs() const;
  [[nodiscard]] std::size_t space() const;
  [[nodiscard]] std::size_t word_cl100k() const;
  [[nodiscard]] std::size_t word_o200k() const;

  const std::string_view text_;
  const Characters& characters_;
  const Rule rule_;
  std::size_t place_ = 0;
};

}  // namespace clever::context::internal
