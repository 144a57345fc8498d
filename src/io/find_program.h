#pragma once
#include <filesystem>
#include <optional>
#include <string_view>

#include "io/environment.h"

namespace clever::io {

/// The first executable file of that name in the environment's PATH, as a shell would find it.
[[nodiscard]] std::optional<std::filesystem::path> find_program(std::string_view name,
                                                                const Environment& environment);

}  // namespace clever::io
