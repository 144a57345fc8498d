#pragma once
#include "provider/catalog.h"
#include "provider/governor/lane.h"
#include "provider/request.h"

namespace clever::provider {

/// The capabilities that this request needs. Reasoning is not one: models without it ignore the
/// setting.
[[nodiscard]] Capabilities needed_capabilities(const ModelRequest& request);

/// A rough estimate of a request's usage, for the pace only: four bytes of text are a token, and
/// the answer has full length. The real usage corrects it.
[[nodiscard]] TokenCount estimated_tokens(const ModelRequest& request);

/// The contributions of a single message to both.
[[nodiscard]] bool has_image(const model::Message& message);
[[nodiscard]] std::size_t bytes_of(const model::Message& message);

/// "tools and images": the parts of `needed` that `there` lacks.
[[nodiscard]] std::string missing_text(const Capabilities& there, const Capabilities& needed);

}  // namespace clever::provider
