#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "provider/failure.h"

// Kinds of failure by name and by status, as scripts give them. Pure functions.
namespace clever::provider {

/// The kinds that a provider or a connection can cause, which a script may name.
[[nodiscard]] std::span<const FailureKind> scriptable_kinds();
[[nodiscard]] std::optional<FailureKind> scriptable_kind(std::string_view name);

/// What a status means where the body says nothing more.
[[nodiscard]] FailureKind kind_of_status(int status);
/// The status with which most APIs report the kind; 0 where there is no answer that could have one.
[[nodiscard]] int usual_status(FailureKind kind);

}  // namespace clever::provider
