#pragma once
#include <string>
#include <string_view>
#include <vector>

// Keys under which imports are found. Pure functions.
namespace clever::index::internal {

/// The names in an import, outermost first: "a/b.h" -> a, b.h; "os.path" -> os, path;
/// "crate::plan::Plan" -> plan, Plan. Leaves out leading dots, `crate`, `self`, `super` and the
/// like, which only say where to begin.
[[nodiscard]] std::vector<std::string_view> import_parts(std::string_view import);
/// The keys of an import: its last two names, without extensions.
[[nodiscard]] std::vector<std::string> import_keys(std::string_view import);
/// A file's name up to the first dot: "plan_test.go" -> "plan_test".
[[nodiscard]] std::string_view stem_of_name(std::string_view name) noexcept;

}  // namespace clever::index::internal
