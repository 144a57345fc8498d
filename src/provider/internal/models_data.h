#pragma once
#include <string_view>

namespace clever::provider::internal {

/// models.toml, embedded at build time.
[[nodiscard]] std::string_view models_data() noexcept;

}  // namespace clever::provider::internal
