#pragma once
#include <string>
#include <string_view>
#include <vector>

// What an import may lead to. Plain functions.
namespace clever::index::internal {

/// The import as names, outermost first: "a/b.h" -> a, b.h; "os.path" -> os, path;
/// "crate::plan::Plan" -> plan, Plan. Leading dots, `crate`, `self`, `super` and the like say where
/// to begin, and are left out.
[[nodiscard]] std::vector<std::string_view> import_parts(std::string_view import);
/// By which an import is found again: its last two names, without endings.
[[nodiscard]] std::vector<std::string> import_keys(std::string_view import);
/// A file's name without what follows the first dot: "plan_test.go" -> "plan_test".
[[nodiscard]] std::string_view stem_of_name(std::string_view name) noexcept;

}  // namespace clever::index::internal
