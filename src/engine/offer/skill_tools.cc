#include "engine/offer/skill_tools.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "base/utf8.h"
#include "io/directory.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

using nlohmann::json;
using Skills = std::shared_ptr<const std::vector<Skill>>;

constexpr std::size_t kLargestSkillFile = std::size_t{1} << 20U;
constexpr std::size_t kMostListed = 200;
constexpr tool::Capabilities kReadsSkills{.read_only = true, .idempotent = true};

constexpr std::string_view kUseSchema =
    R"({"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":64}},)"
    R"("required":["name"],"additionalProperties":false})";
constexpr std::string_view kReadSchema =
    R"({"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":64},)"
    R"("path":{"type":"string","minLength":1,"maxLength":4096,"description":"Relative to the skill, as use_skill lists it."}},)"
    R"("required":["name","path"],"additionalProperties":false})";

tool::ToolAnswer failure(std::string text) { return {.text = std::move(text), .failed = true}; }

std::string input_text(std::string_view input, const char* key) {
  const json object = json::parse(input, nullptr, /*allow_exceptions=*/false);
  return object.is_object() ? object.value(key, std::string()) : std::string();
}

const Skill* find(const std::vector<Skill>& skills, std::string_view name) {
  const auto found = std::ranges::find(skills, name, &Skill::name);
  return found == skills.end() ? nullptr : &*found;
}

tool::ToolAnswer unknown_skill(const std::vector<Skill>& skills, const std::string& name) {
  std::vector<std::string> names;
  for (const Skill& skill : skills) names.push_back(skill.name);
  std::string text = "there is no skill \"" + base::to_valid_utf8(name) + "\"";
  if (const auto nearest = base::nearest_match(name, names)) {
    return failure(text + "; did you mean " + *nearest + "?");
  }
  text += "; there are";
  for (const std::string& known : names) text += " " + known;
  return failure(std::move(text));
}

std::string listed(const std::vector<std::string>& files) {
  std::string text;
  for (std::size_t i = 0; i < std::min(files.size(), kMostListed); ++i) {
    text += "- " + base::to_valid_utf8(files[i]) + "\n";
  }
  if (files.size() > kMostListed) {
    text += "- … and " + std::to_string(files.size() - kMostListed) + " more\n";
  }
  return text;
}

class UseSkill final : public tool::Tool {
 public:
  explicit UseSkill(Skills skills)
      : skills_(std::move(skills)),
        spec_{.name = "use_skill",
              .description =
                  "Gives the instructions of a skill, by its name, and lists the files that belong "
                  "to it. Call it before you do what a skill describes.",
              .input_schema = std::string(kUseSchema),
              .capabilities = kReadsSkills,
              .source = tool::Source::kAgentSkill} {}

  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }

  base::Result<tool::ToolAnswer> call(const tool::CallContext& context,
                                      std::string_view input) override {
    const std::string name = input_text(input, "name");
    const Skill* skill = find(*skills_, name);
    if (skill == nullptr) return unknown_skill(*skills_, name);
    CLEVER_ASSIGN(const std::vector<std::string> files, skill_files(*skill));
    std::string text = "# Skill " + skill->name + "\n" + skill->body;
    if (!text.ends_with('\n')) text += '\n';
    if (!skill->allowed_tools.empty()) {
      text += "\nTools it needs:";
      for (const std::string& tool : skill->allowed_tools) text += " " + tool;
      text += "\n";
    }
    if (!files.empty()) {
      text += "\nFiles of this skill (read them with read_skill_file):\n" + listed(files);
    }
    return tool::ToolAnswer{.text = tool::cut_middle(text, context.output_limit)};
  }

 private:
  // Constant after construction.
  const Skills skills_;
  const tool::ToolSpec spec_;
};

class ReadSkillFile final : public tool::Tool {
 public:
  explicit ReadSkillFile(Skills skills)
      : skills_(std::move(skills)),
        spec_{.name = "read_skill_file",
              .description = "Reads a file that belongs to a skill, as use_skill lists it.",
              .input_schema = std::string(kReadSchema),
              .capabilities = kReadsSkills,
              .source = tool::Source::kAgentSkill} {}

  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }

  base::Result<tool::ToolAnswer> call(const tool::CallContext& context,
                                      std::string_view input) override {
    const std::string name = input_text(input, "name");
    const Skill* skill = find(*skills_, name);
    if (skill == nullptr) return unknown_skill(*skills_, name);
    const std::string path = input_text(input, "path");
    CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(skill->folder));
    const auto text = folder.read_file(path, kLargestSkillFile);
    if (!text.ok()) {
      return failure("the skill " + skill->name + " has no file \"" + base::to_valid_utf8(path) +
                     "\" that can be read: use_skill lists its files");
    }
    return tool::ToolAnswer{.text =
                                tool::cut_middle(base::to_valid_utf8(*text), context.output_limit)};
  }

 private:
  // Constant after construction.
  const Skills skills_;
  const tool::ToolSpec spec_;
};

}  // namespace

std::vector<std::shared_ptr<tool::Tool>> skill_tools(std::vector<Skill> skills) {
  if (skills.empty()) return {};
  const auto shared = std::make_shared<const std::vector<Skill>>(std::move(skills));
  return {std::make_shared<UseSkill>(shared), std::make_shared<ReadSkillFile>(shared)};
}

}  // namespace clever::engine
