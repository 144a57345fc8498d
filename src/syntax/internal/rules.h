#pragma once
#include <span>

#include "syntax/internal/grammar.h"

// What the languages define, use and import, one file for each family.
namespace clever::syntax::internal {

[[nodiscard]] std::span<const Rule> c_rules() noexcept;
[[nodiscard]] std::span<const Rule> python_rules() noexcept;
/// JavaScript and TypeScript, whose grammar extends JavaScript's.
[[nodiscard]] std::span<const Rule> script_rules() noexcept;
[[nodiscard]] std::span<const Rule> go_rules() noexcept;
[[nodiscard]] std::span<const Rule> rust_rules() noexcept;
[[nodiscard]] std::span<const Rule> java_rules() noexcept;
[[nodiscard]] std::span<const Rule> ruby_rules() noexcept;
[[nodiscard]] std::span<const Rule> bash_rules() noexcept;
/// JSON and YAML.
[[nodiscard]] std::span<const Rule> data_rules() noexcept;
[[nodiscard]] std::span<const Rule> markdown_rules() noexcept;

}  // namespace clever::syntax::internal
