#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/command.h"

// Files that a person edited in place of a plan's, as the body that a changes.choose effect names.
// Preserves any bytes in paths and contents.
namespace clever::plan {

[[nodiscard]] std::string edits_to_json(const std::vector<Choose::Edit>& edits);
/// Total; `corruption` says what is wrong.
[[nodiscard]] base::Result<std::vector<Choose::Edit>> edits_from_json(std::string_view text);

}  // namespace clever::plan
