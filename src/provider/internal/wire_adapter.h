#pragma once
#include <string>
#include <vector>

#include "provider/adapter.h"

namespace clever::provider::internal {

/// What the adapters of all wires have in common: errors, limits and lists of models are read by
/// rules that fit them all.
class WireAdapter : public Adapter {
 public:
  [[nodiscard]] Failure failure(const Endpoint& endpoint, const std::string& model,
                                const io::HttpHead& head, std::string_view body) const final;
  [[nodiscard]] RateObservation rates(const io::HttpHead& head) const final;
  [[nodiscard]] base::Result<std::vector<std::string>> read_models(
      std::string_view body) const final;
};

}  // namespace clever::provider::internal
