#pragma once
// Expected text with placeholders. Pure functions.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clever::cases {

/// What named placeholders stood for, {id:plan} under "plan".
using Bindings = std::map<std::string, std::string, std::less<>>;

/// Whether a line is as expected; names that are new are bound by it, names that are bound stand
/// for their value.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view line, Bindings& bindings);

/// The same for all lines; a line `{lines}` stands for any number of them.
[[nodiscard]] bool matches(const std::vector<std::string>& patterns,
                           const std::vector<std::string>& lines, Bindings& bindings);

/// A command with {NAME} replaced by what is bound to the name.
[[nodiscard]] std::string substituted(std::string_view command, const Bindings& bindings);

/// The patterns changed as little as possible so that they match the lines: what matches stays,
/// what is new has placeholders for ids, hashes and times.
[[nodiscard]] std::vector<std::string> rewritten(const std::vector<std::string>& patterns,
                                                 const std::vector<std::string>& lines,
                                                 const Bindings& bindings);

/// Line by line: "  " as expected, "- " missing, "+ " instead.
[[nodiscard]] std::string difference(const std::vector<std::string>& patterns,
                                     const std::vector<std::string>& lines,
                                     const Bindings& bindings);

}  // namespace clever::cases
