#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "provider/scripted/script.h"

// {1}, {2}, …: the groups that the patterns of a rule captured. Nothing else is a template.
namespace clever::provider::internal {

/// How many groups the patterns of a match have together.
[[nodiscard]] std::size_t groups_of(const ScriptMatch& match);
/// The highest {n} in whatever of a reply is filled; 0 if there is none.
[[nodiscard]] std::size_t highest_group(const ScriptedReply& reply);

/// The text with {n} replaced by groups[n - 1]; an {n} beyond them stays.
[[nodiscard]] std::string fill(std::string_view text, const std::vector<std::string>& groups);
/// The same for all texts of a reply, the strings in tool-call arguments included.
void fill(ScriptedReply& reply, const std::vector<std::string>& groups);

}  // namespace clever::provider::internal
