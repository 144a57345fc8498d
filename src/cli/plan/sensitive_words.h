#pragma once
#include <string>
#include <vector>

#include "cli/render.h"
#include "cli/report.h"
#include "cli/view.h"
#include "engine/sensitive_changes.h"
#include "model/document.h"

// Changes that a review points out, for programs and people. Pure. Private to the module.
namespace clever::cli {

using model::Document;

/// [{path, kind, reason, line?}]
[[nodiscard]] Document sensitive_document(const std::vector<engine::SensitiveChange>& changes);
/// A row per change.
[[nodiscard]] Table sensitive_table(const std::vector<engine::SensitiveChange>& changes);
/// "sensitive: a.sh:3 (invisible-text): it holds …", one for each; many are cut with a last line
/// that says so.
[[nodiscard]] std::vector<std::string> sensitive_lines(
    const std::vector<engine::SensitiveChange>& changes);
/// The same for a terminal, each with its line end.
[[nodiscard]] std::string painted_sensitive(const std::vector<engine::SensitiveChange>& changes,
                                            const Look& look);
/// The same as warnings of a report.
void warn_of_sensitive(const std::vector<engine::SensitiveChange>& changes, Report& report);

}  // namespace clever::cli
