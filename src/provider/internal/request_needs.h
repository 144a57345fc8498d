#pragma once
#include "provider/catalog.h"
#include "provider/governor/lane.h"
#include "provider/request.h"

namespace clever::provider {

/// What a model must be able to do for this request. Reasoning is not among it: models without it
/// ignore the wish.
[[nodiscard]] Capabilities needed_capabilities(const ModelRequest& request);

/// About what a request will use, for the pace only: four bytes of text are a token, and the answer
/// is as long as it may be. Corrected by the real usage afterwards.
[[nodiscard]] TokenCount estimated_tokens(const ModelRequest& request);

/// The parts of both that a single message makes up.
[[nodiscard]] bool has_image(const model::Message& message);
[[nodiscard]] std::size_t bytes_of(const model::Message& message);

/// "tools and images": what of `needed` is not `there`.
[[nodiscard]] std::string missing_text(const Capabilities& there, const Capabilities& needed);

}  // namespace clever::provider
