#pragma once
// Private to the module.
#include <string>

#include "base/result.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "model/message.h"
#include "storage/engine.h"

namespace clever::service {

/// A message that an event names by the hash of its body. `not_found` if it is gone; `corruption`.
[[nodiscard]] base::Result<model::Message> kept_message(storage::Engine& engine,
                                                        const base::Sha256Digest& body,
                                                        const base::StopToken& stop);

/// All its text, a line break between the parts.
[[nodiscard]] std::string text_of(const model::Message& message);

}  // namespace clever::service
