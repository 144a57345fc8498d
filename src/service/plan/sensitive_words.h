#pragma once
#include <string>
#include <vector>

#include "engine/sensitive_changes.h"
#include "model/document.h"
#include "service/report.h"
#include "service/view.h"

// Changes that a review points out, for programs and people. Pure. Private to the module.
namespace clever::service {

using model::Document;

/// [{path, kind, reason, line?}]
[[nodiscard]] Document sensitive_document(const std::vector<engine::SensitiveChange>& changes);
/// A row per change.
[[nodiscard]] Table sensitive_table(const std::vector<engine::SensitiveChange>& changes);
/// "sensitive: a.sh:3 (invisible-text): it holds …", one for each; many are cut with a last line
/// that says so.
[[nodiscard]] std::vector<std::string> sensitive_lines(
    const std::vector<engine::SensitiveChange>& changes);
/// The same, to be seen before a question.
[[nodiscard]] Prose sensitive_prose(const std::vector<engine::SensitiveChange>& changes);
/// The same as warnings of a report.
void warn_of_sensitive(const std::vector<engine::SensitiveChange>& changes, Report& report);

}  // namespace clever::service
