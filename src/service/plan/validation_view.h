#pragma once
// How validations ended, for programs and people. Pure. Private to the module.
#include <string>
#include <vector>

#include "model/control_events.h"
#include "model/document.h"
#include "plan/state.h"
#include "service/view.h"

namespace clever::service {

using model::Document;

/// {passed, tree, results[{name, required, passed, outcome, took_ms, output}]}
[[nodiscard]] Document validation_document(const model::ValidationsRan& ran);
[[nodiscard]] Document results_document(const std::vector<model::ValidationResult>& results);

/// One line each, with what failed informationally as a warning.
[[nodiscard]] Checks results_view(const std::vector<model::ValidationResult>& results);
/// The end of what those printed that failed.
[[nodiscard]] View failed_outputs(const std::vector<model::ValidationResult>& results);

/// "passed in 1.2 s", "failed: exit code 1 (2.0 s)"
[[nodiscard]] std::string result_text(const model::ValidationResult& result);

/// Whether nothing that is required failed.
[[nodiscard]] bool all_passed(const std::vector<model::ValidationResult>& results);

}  // namespace clever::service
