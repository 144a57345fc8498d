#pragma once
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor/internal/yaml_fields.h"
#include "model/control_settings.h"

namespace clever::engine::internal {

/// A list of {name, command | tool + arguments, required, timeout}, as `[[validation]]` of the
/// settings has them. Leaves `into` as it is if the key is not there; `invalid_argument` names
/// file, line, place and cure.
[[nodiscard]] base::Result<void> read_validations(const YamlFields& fields, std::string_view key,
                                                  std::vector<model::Validation>& into);

}  // namespace clever::engine::internal
