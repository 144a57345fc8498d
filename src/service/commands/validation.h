#pragma once
// What the validation commands share. Private to the module.
#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "git/project.h"
#include "model/control_settings.h"
#include "model/document.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

using model::Document;

/// One `[[validation]]` of the settings.
struct ListedValidation {
  model::Validation validation{};
  std::string place{};
  bool trusted = true;
};

/// All of them, those of the home first. `corruption` with the place of what is wrong.
[[nodiscard]] base::Result<std::vector<ListedValidation>> listed_validations(
    const git::Project& project, Context& context);

/// `not_found` names the nearest.
[[nodiscard]] base::Result<ListedValidation> find_validation(
    const std::vector<ListedValidation>& all, const std::string& name);

[[nodiscard]] Document validation_document(const ListedValidation& listed);

/// "10m", "1500ms"
[[nodiscard]] std::string shown_duration(std::chrono::milliseconds time);

}  // namespace clever::service
