#pragma once
// One tiny call, and the question which models there are, for `agents provider test`. Private to
// the module.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/context.h"
#include "provider/answer.h"
#include "provider/backend.h"
#include "provider/endpoint.h"
#include "provider/failure.h"

namespace clever::cli {

/// What a look at a provider came to.
struct ProviderLook {
  std::string provider{};
  /// The model that was called; empty if only the list was asked for.
  std::string model{};
  /// What the provider says it has.
  std::vector<std::string> models{};
  std::optional<provider::ModelAnswer> answer{};
  std::optional<provider::Failure> failure{};
  base::Duration latency{};
  /// Until the first byte of the answer to a call.
  base::Duration first_byte{};
};

/// Asks which models there are: whether address and key are right.
[[nodiscard]] ProviderLook list_models(const provider::Endpoint& endpoint, Context& context);

/// Asks a model for one word.
[[nodiscard]] ProviderLook call_model(const std::string& provider, const std::string& model,
                                      provider::Backend& backend, Context& context);

}  // namespace clever::cli
