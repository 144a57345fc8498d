#pragma once
#include <string_view>

namespace clever::engine::internal {

/// The system prompts of the phases. The same for all plans, so that they are cached once.
[[nodiscard]] std::string_view strategize_prompt() noexcept;
[[nodiscard]] std::string_view execute_prompt() noexcept;
/// In execute, where nothing may be changed.
[[nodiscard]] std::string_view read_only_prompt() noexcept;
[[nodiscard]] std::string_view submit_strategy_description() noexcept;
[[nodiscard]] std::string_view ask_description() noexcept;
/// JSON Schema of its arguments.
[[nodiscard]] std::string_view ask_schema() noexcept;

}  // namespace clever::engine::internal
