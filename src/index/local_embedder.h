#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/embedder.h"

namespace clever::index {

namespace internal {
class Lexicon;
}

/// Vectors without a model and without a network: words, the parts of identifiers, their stems and
/// their pieces of four letters, hashed into 256 dimensions with signs. Synonyms in programs
/// ("remove" and "delete") share a feature, and words that are common in code or English count for
/// little. So a sentence about a task is near code about the same things.
///
/// Thread-safe; the same text gives the same vector on every machine. Fails only on a stop.
class LocalEmbedder final : public Embedder {
 public:
  LocalEmbedder();
  ~LocalEmbedder() override;
  LocalEmbedder(const LocalEmbedder&) = delete;
  LocalEmbedder& operator=(const LocalEmbedder&) = delete;

  [[nodiscard]] std::string name() const override { return "local/1"; }
  [[nodiscard]] std::size_t dimensions() const override { return kDimensions; }
  [[nodiscard]] base::Result<std::vector<Vector>> embed(
      const std::vector<std::string_view>& texts, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) override;

  static constexpr std::size_t kDimensions = 256;

 private:
  // Constant after construction.
  const std::unique_ptr<const internal::Lexicon> lexicon_;
};

}  // namespace clever::index
