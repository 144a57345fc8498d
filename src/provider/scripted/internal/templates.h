#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "provider/scripted/script.h"

// {1}, {2}, …: the groups that a rule's patterns captured. Nothing else is a template.
namespace clever::provider::internal {

/// The number of groups in all patterns of a match.
[[nodiscard]] std::size_t groups_of(const ScriptMatch& match);
/// The highest {n} in the templates of a reply; 0 if there is none.
[[nodiscard]] std::size_t highest_group(const ScriptedReply& reply);

/// Replaces {n} by groups[n - 1]; an {n} beyond them stays.
[[nodiscard]] std::string fill(std::string_view text, const std::vector<std::string>& groups);
/// The same for all texts of a reply, including the strings in tool-call arguments.
void fill(ScriptedReply& reply, const std::vector<std::string>& groups);

}  // namespace clever::provider::internal
