#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace clever::index::internal {

/// What is known of a stem beforehand.
struct Lexeme {
  /// 1 for a word that says something; less for one that is everywhere.
  float weight = 1;
  /// Of the idea that it shares with others; 0: none.
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
