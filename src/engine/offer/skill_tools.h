#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "engine/offer/skill.h"
#include "tool/tool.h"

namespace clever::engine {

/// The origin under which they are registered.
inline constexpr std::string_view kSkillOrigin = "skills";

/// use_skill{name}: the instructions of a skill and the names of its files.
/// read_skill_file{name, path}: one of those. Both only read, and only the skills' folders,
/// whatever their input. None if there are no skills.
[[nodiscard]] std::vector<std::shared_ptr<tool::Tool>> skill_tools(std::vector<Skill> skills);

}  // namespace clever::engine
