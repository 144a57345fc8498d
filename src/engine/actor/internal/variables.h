#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor/tool_actor.h"

// ${name} in texts that people write for actors and actions. Values come from an allow-list and are
// never looked at again: a value that holds ${…} stays as it is. `$${` stands for `${`. Pure.
namespace clever::engine::internal {

/// A small letter, then small letters, digits and `_`; at most 64.
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;
/// "paths", "path", "project": those that every tool actor has.
[[nodiscard]] bool is_fixed_variable(std::string_view name) noexcept;

/// The names of the variables of a text, in order, each as often as it is there; also those that
/// are no names ("HOME", "a b"): whatever stands between `${` and the next `}`.
[[nodiscard]] std::vector<std::string> variables_in(std::string_view text);
/// The one variable that the text consists of, if it does.
[[nodiscard]] std::optional<std::string> sole_variable(std::string_view text);

/// `invalid_argument` for a variable that is not among the known: names the nearest, or all.
[[nodiscard]] base::Result<void> check_variables(std::string_view text,
                                                 const std::vector<std::string>& known);

/// The text with every variable replaced by what `value_of` says.
[[nodiscard]] std::string expand(std::string_view text,
                                 const std::function<std::string(const std::string&)>& value_of);
[[nodiscard]] std::string expand(std::string_view text,
                                 const std::map<std::string, std::string>& values);

/// The names of the arguments.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<ActorArgument>& arguments);

/// `given` with defaults filled in. `invalid_argument` says which is missing or unknown, and what
/// `owner` ("the actor local/codemod") takes.
[[nodiscard]] base::Result<std::map<std::string, std::string>> checked_arguments(
    std::string_view owner, const std::vector<ActorArgument>& arguments,
    const std::map<std::string, std::string>& given);

}  // namespace clever::engine::internal
