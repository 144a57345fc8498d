#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace clever::index::internal {

/// Built-in knowledge about a stem.
struct Lexeme {
  /// 1 for a meaningful word; less for a very common one.
  float weight = 1;
  /// The idea that it shares with other stems; 0: none.
  std::uint32_t idea = 0;
};

/// Words that are common in programs and in English about programs. Immutable, thread-safe.
class Lexicon {
 public:
  Lexicon();
  /// By the feature_hash of the word's stem.
  [[nodiscard]] Lexeme look_up(std::uint64_t stem) const;

 private:
  void damp(std::string_view words, float weight);
  void relate(std::string_view words, std::uint32_t idea);

  // Constant after construction.
  std::unordered_map<std::uint64_t, Lexeme> lexemes_;
};

}  // namespace clever::index::internal
