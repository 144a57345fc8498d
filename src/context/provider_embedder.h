#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "index/embedder.h"
#include "io/http.h"
#include "provider/endpoint.h"

namespace clever::context {

/// A provider's vectors: OpenAI's `/embeddings`, which compatible servers have too, or Ollama's
/// `/api/embed`. Sends texts in batches, one exchange after the other; retries a transient failure
/// a few times, after the pause that the provider asks for.
///
/// Thread-safe; `http` and `clock` outlive it. Fails with the provider's message, without its key:
/// `unavailable` where waiting may help, `permission_denied`, `invalid_argument` or `not_found`
/// where it does not; `cancelled` and `deadline_exceeded` as requested.
class ProviderEmbedder final : public index::Embedder {
 public:
  struct Options {
    /// The dimensions to request; 0: the model's default.
    std::size_t dimensions = 0;
    /// Texts of one exchange, and their bytes.
    std::size_t most_texts = 64;
    std::size_t most_bytes = std::size_t{256} << 10U;
    /// Longer texts are cut, because models refuse them.
    std::size_t longest_text = std::size_t{16} << 10U;
    unsigned most_attempts = 4;
    /// Doubled after each attempt.
    base::Duration first_pause = std::chrono::milliseconds(500);
  };

  /// Requests one vector, to check address, key and model and to learn the vector's length.
  /// `invalid_argument` for a provider whose API has no vectors.
  [[nodiscard]] static base::Result<std::unique_ptr<ProviderEmbedder>> connect(
      provider::Endpoint endpoint, std::string model, io::Http& http, base::Clock& clock,
      Options options, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::size_t dimensions() const override { return dimensions_; }
  [[nodiscard]] base::Result<std::vector<index::Vector>> embed(
      const std::vector<std::string_view>& texts, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) override;

 private:
  struct Attempt;

  ProviderEmbedder(provider::Endpoint endpoint, std::string model, io::Http& http,
                   base::Clock& clock, Options options);
  [[nodiscard]] base::Result<std::vector<index::Vector>> embed_batch(
      const std::vector<std::string>& texts, const base::StopToken& stop,
      base::Deadline deadline) const;
  [[nodiscard]] Attempt attempt(const std::vector<std::string>& texts, const base::StopToken& stop,
                                base::Deadline deadline) const;
  [[nodiscard]] io::HttpRequest request_for(const std::vector<std::string>& texts) const;
  [[nodiscard]] std::string prepared(std::string_view text) const;

  // Constant after construction; dimensions_ after connecting.
  const provider::Endpoint endpoint_;
  const std::string model_;
  io::Http& http_;
  base::Clock& clock_;
  const Options options_;
  std::size_t dimensions_ = 0;
};

}  // namespace clever::context
