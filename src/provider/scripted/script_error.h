#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "provider/failure.h"

// Kinds of failure by name and status, for scripts. Pure functions.
namespace clever::provider {

/// The kinds that a provider or connection can cause, which a script may name.
[[nodiscard]] std::span<const FailureKind> scriptable_kinds();
[[nodiscard]] std::optional<FailureKind> scriptable_kind(std::string_view name);

/// The meaning of a status without further information in the body.
[[nodiscard]] FailureKind kind_of_status(int status);
/// The status with which most APIs report the kind; 0 for kinds without an answer.
[[nodiscard]] int usual_status(FailureKind kind);

}  // namespace clever::provider
