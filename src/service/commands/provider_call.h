#pragma once
// One tiny call, and the question which models there are, for `agents provider test`. Private to
// the module.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "provider/answer.h"
#include "provider/backend.h"
#include "provider/endpoint.h"
#include "provider/failure.h"
#include "provider/provider_set.h"
#include "provider/request.h"
#include "service/context.h"

namespace clever::service {

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
  /// Attempts before the last one.
  std::size_t retries = 0;
  /// Why another model answered than the one asked for; empty if none did.
  std::vector<std::string> moves{};
};

/// Asks which models there are: whether address and key are right.
[[nodiscard]] ProviderLook list_models(const provider::Endpoint& endpoint, Context& context);

/// The question that is asked.
[[nodiscard]] provider::ModelRequest tiny_request();

/// Asks a model for one word, once.
[[nodiscard]] ProviderLook call_model(const std::string& provider, const std::string& model,
                                      provider::Backend& backend, Context& context);

/// The same as a plan would ask: in turn with other processes, waiting out what passes for as long
/// as `patience`, with the fallback chain of the settings. A trace is left in the database, if
/// there is one.
[[nodiscard]] base::Result<ProviderLook> call_patiently(const provider::ProviderSettings& settings,
                                                        const std::string& name,
                                                        const AnswerSource& source,
                                                        base::Duration patience, Context& context);

}  // namespace clever::service
