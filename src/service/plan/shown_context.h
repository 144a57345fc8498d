#pragma once
#include <string>

#include "model/context_snapshot.h"
#include "model/document.h"

// What a decision was made on, as commands tell it.
namespace clever::service {

using model::Document;

/// ":3-9", or nothing for a whole file.
[[nodiscard]] std::string lines_of(const model::ShownFragment& fragment);
[[nodiscard]] Document snapshot_document(const model::ContextSnapshot& snapshot);

}  // namespace clever::service
