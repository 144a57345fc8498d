#include "index/local_embedder.h"

#include <array>
#include <cmath>

#include "index/internal/feature_hash.h"
#include "index/internal/lexicon.h"
#include "index/internal/word_counts.h"
#include "index/internal/word_scan.h"
#include "index/unit_vector.h"
#include "index/words.h"

namespace clever::index {
namespace {

using internal::feature_hash;
using internal::Lexeme;
using internal::Lexicon;
using internal::mixed;
using internal::WordCounts;

// Seeds: each kind of feature has its own hashes.
constexpr std::uint64_t kIdeaSeed = 1;
constexpr std::uint64_t kPieceSeed = 2;
constexpr float kIdeaWeight = 0.5F;
constexpr float kPieceWeight = 0.35F;
constexpr std::size_t kPieceSize = 4;
constexpr std::size_t kPiecesEnd = 24;
constexpr int kPlaces = 3;

/// The sum of all features of one text.
class Sum {
 public:
  void add(std::uint64_t feature, float weight) {
    for (int i = 0; i < kPlaces; ++i) {
      const std::uint64_t bits = feature >> (16U * static_cast<unsigned>(i));
      const float sign = (bits & 0x100U) != 0 ? 1.0F : -1.0F;
      sums_[bits & 0xFFU] += sign * weight;
    }
  }
  [[nodiscard]] Vector direction() const { return unit_vector(sums_); }

 private:
  static_assert(LocalEmbedder::kDimensions == 256, "one byte of a hash is a dimension");
  std::array<float, LocalEmbedder::kDimensions> sums_{};
};

// Pieces of four letters: "tokenizer" and "tokens" share some.
void add_pieces(std::string_view word, float weight, Sum& sum) {
  if (word.size() <= kPieceSize || word.size() > kPiecesEnd) return;
  const std::size_t pieces = word.size() - kPieceSize + 1;
  const float each = weight * kPieceWeight / std::sqrt(static_cast<float>(pieces));
  for (std::size_t i = 0; i < pieces; ++i) {
    sum.add(feature_hash(word.substr(i, kPieceSize), kPieceSeed), each);
  }
}

void add_word(std::string_view word, std::uint32_t count, const Lexicon& lexicon, Sum& sum) {
  const std::uint64_t stem = feature_hash(stem_of(word));
  const Lexeme lexeme = lexicon.look_up(stem);
  const float often = 1.0F + std::log(static_cast<float>(count));
  const float weight = lexeme.weight * often;
  sum.add(stem, weight);
  if (lexeme.idea != 0) sum.add(mixed(lexeme.idea + (kIdeaSeed << 32U)), kIdeaWeight * often);
  add_pieces(word, weight, sum);
}

Vector vector_of(std::string_view text, const Lexicon& lexicon, WordCounts& counts,
                 internal::WordSplitter& splitter) {
  counts.clear();
  internal::for_each_identifier(text, [&](std::string_view identifier) {
    splitter.split(identifier, [&](std::string_view word) { counts.add(word); });
  });
  Sum sum;
  counts.for_each(
      [&](std::string_view word, std::uint32_t count) { add_word(word, count, lexicon, sum); });
  return sum.direction();
}

}  // namespace

LocalEmbedder::LocalEmbedder() : lexicon_(std::make_unique<const Lexicon>()) {}
LocalEmbedder::~LocalEmbedder() = default;

base::Result<std::vector<Vector>> LocalEmbedder::embed(const std::vector<std::string_view>& texts,
                                                       const base::StopToken& stop,
                                                       base::Deadline deadline) {
  std::vector<Vector> vectors;
  vectors.reserve(texts.size());
  WordCounts counts;
  internal::WordSplitter splitter;
  for (const std::string_view text : texts) {
    if (stop.stop_requested()) return base::cancelled("embedding was stopped");
    if (deadline.passed()) return base::deadline_exceeded("embedding took too long");
    vectors.push_back(vector_of(text, *lexicon_, counts, splitter));
  }
  return vectors;
}

}  // namespace clever::index
