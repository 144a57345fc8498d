#pragma once
#include <string>
#include <vector>

#include "provider/adapter.h"

namespace clever::provider::internal {

/// The common part of all adapters: errors, limits and lists of models follow rules that fit every
/// wire.
class WireAdapter : public Adapter {
 public:
  [[nodiscard]] Failure failure(const Endpoint& endpoint, const std::string& model,
                                const io::HttpHead& head, std::string_view body) const final;
  [[nodiscard]] RateObservation rates(const io::HttpHead& head) const final;
  [[nodiscard]] base::Result<std::vector<std::string>> read_models(
      std::string_view body) const final;
};

}  // namespace clever::provider::internal
