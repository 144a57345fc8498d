#pragma once
#include <string_view>

namespace clever::provider::internal {

/// models.toml as it was when the program was built.
[[nodiscard]] std::string_view models_data() noexcept;

}  // namespace clever::provider::internal
