#pragma once
#include <string_view>
#include <vector>

namespace clever::engine::internal {

/// The files of agents/presets as they were when the program was built, by name.
[[nodiscard]] std::vector<std::string_view> preset_files();

}  // namespace clever::engine::internal
