#include "engine/offer/skill.h"

#include <algorithm>

#include "base/nearest.h"
#include "io/directory.h"
#include "io/file.h"
#include "model/document_yaml.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/definitions/definitions.h"
#include "service/plan/trusted_commands.h"

namespace clever::service {
namespace {

using engine::Skill;

constexpr std::size_t kLargestSkillFile = std::size_t{16} << 20U;
constexpr mode_t kFolderMode = 0755;

struct Skills {
  DefinitionFolders folders{};
  ProjectTrust found{};

  [[nodiscard]] bool is_trusted(const Skill& skill) const {
    return !skill.of_project ||
           std::ranges::none_of(found.untrusted, [&](const engine::NamedCommand& command) {
             return command.kind == "skill" && command.name == skill.name;
           });
  }
  [[nodiscard]] std::string owner(const Skill& skill) const {
    if (!skill.of_project) return "yours";
    return is_trusted(skill) ? "project" : "project, not trusted";
  }
  [[nodiscard]] base::Result<Skill> find(const std::string& name) const {
    const auto skill = std::ranges::find(found.offer.skills, name, &Skill::name);
    if (skill != found.offer.skills.end()) return *skill;
    std::vector<std::string> names;
    for (const Skill& known : found.offer.skills) names.push_back(known.name);
    const std::string message = "there is no skill \"" + name + "\"";
    if (const auto nearest = base::nearest_match(name, names)) {
      return base::not_found(message + "; did you mean " + *nearest + "?");
    }
    return base::not_found(message + "; `agents skill list` lists them");
  }
};

base::Result<Skills> find_skills(Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  Skills skills;
  CLEVER_ASSIGN(skills.folders, definition_folders(context, "skills"));
  CLEVER_ASSIGN(skills.found, project_trust(context, *settings, skills.folders.project_root));
  return skills;
}

base::Result<Report> list_skills(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const Skills skills, find_skills(context));
  std::vector<DefinitionRow> rows;
  for (const Skill& skill : skills.found.offer.skills) {
    rows.push_back({skill.name, "skill", skill.description, skills.owner(skill), skill.place});
  }
  return list_report("skills", rows, skills.found.offer.problems);
}

base::Result<Report> show_skill(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Skills skills, find_skills(context));
  CLEVER_ASSIGN(const Skill skill, skills.find(invocation.word(0)));
  CLEVER_ASSIGN(const std::vector<std::string> files, engine::skill_files(skill));
  Shown shown(skill.name);
  shown.add("name", skill.name)
      .add("from", skills.owner(skill))
      .add("place", skill.place)
      .add("description", skill.description)
      .add("allowed_tools", skill.allowed_tools)
      .add("files", files)
      .add("trusted", skills.is_trusted(skill));
  Report report = std::move(shown).report();
  report.data.set("body", skill.body);
  report.view.emplace_back(Raw{"\n" + skill.body});
  return report;
}

std::string text_from_flags(const Invocation& invocation) {
  Document matter = Document::map()
                        .set("name", invocation.value("name").value_or(""))
                        .set("description", invocation.value("description").value_or(""));
  return "---\n" + to_yaml(matter) + "---\n" + std::string(invocation.value("body").value_or("")) +
         "\n";
}

// Returns the folder of the skill to add: FILE is the folder, or its SKILL.md.
std::filesystem::path skill_folder(const std::string& word, const Context& context) {
  const std::filesystem::path path = context.directory() / word;
  return io::file_kind(path) == io::FileKind::kDirectory ? path : path.parent_path();
}

// Copies everything beside SKILL.md, without following links.
base::Result<void> copy_files(const Skill& skill, const io::Directory& target) {
  CLEVER_ASSIGN(const std::vector<std::string> files, engine::skill_files(skill));
  CLEVER_ASSIGN(const io::Directory source, io::Directory::open(skill.folder));
  for (const std::string& file : files) {
    CLEVER_ASSIGN(const io::EntryFacts facts, source.facts(file));
    CLEVER_ASSIGN(const std::string text, source.read_file(file, kLargestSkillFile));
    const auto folder = std::filesystem::path(file).parent_path().string();
    if (!folder.empty()) CLEVER_TRY(target.make_directories(folder, kFolderMode));
    CLEVER_TRY(target.create_file(file, text, facts.mode));
  }
  return {};
}

base::Result<Report> write(const std::filesystem::path& folder, const std::string& text,
                           const Skill& skill, Context& context) {
  if (io::file_kind(folder) != io::FileKind::kMissing) {
    return base::already_exists(folder.string() +
                                " already exists; remove it first, or choose another name");
  }
  CLEVER_ASSIGN(Report report,
                write_definition(folder / "SKILL.md", text, "skill", skill.name, context));
  if (skill.folder.empty()) return report;
  CLEVER_ASSIGN(const io::Directory target, io::Directory::open(folder));
  CLEVER_TRY(copy_files(skill, target));
  return report;
}

base::Result<Report> add_skill(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_source(invocation, {"name", "description", "body"}));
  const bool by_file = !invocation.words().empty();
  std::string text = text_from_flags(invocation);
  std::string file = "the new skill";
  if (by_file) {
    const auto path = skill_folder(invocation.word(0), context) / "SKILL.md";
    file = path.string();
    CLEVER_ASSIGN(text, io::read_file(path, std::size_t{1} << 20U));
  }
  auto skill = engine::parse_skill(text, file);
  if (!skill.ok()) return by_file ? blame(skill.error()) : skill.error();
  if (by_file) skill->folder = skill_folder(invocation.word(0), context);
  CLEVER_ASSIGN(const Skills skills, find_skills(context));
  const bool of_project = invocation.flag("project");
  const auto& folder = of_project ? skills.folders.project : skills.folders.home;
  CLEVER_ASSIGN(Report report, write(folder / skill->name, text, *skill, context));
  if (of_project) {
    report.messages.push_back({Message::Level::kHint, "allow it to be used: agents trust"});
  }
  return report;
}

base::Result<Report> remove_skill(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Skills skills, find_skills(context));
  CLEVER_ASSIGN(const Skill skill, skills.find(invocation.word(0)));
  const bool is_ours = skill.folder.parent_path() == skills.folders.home ||
                       skill.folder.parent_path() == skills.folders.project;
  if (!is_ours) {
    return base::invalid_argument(skill.folder.string() +
                                  " belongs to another program too: remove it by hand");
  }
  CLEVER_ASSIGN(const io::Directory parent, io::Directory::open(skill.folder.parent_path()));
  CLEVER_TRY(parent.remove_all(skill.folder.filename().string()));
  Report report;
  report.data.set("name", skill.name).set("folder", skill.folder.string()).set("removed", true);
  report.view = {Prose{{{{"removed the skill "},
                         {skill.name, Tone::kStrong},
                         {": " + short_path(skill.folder, context), Tone::kDim}}}}};
  return report;
}

Positional skill_positional() { return {.name = "SKILL", .summary = "Its name"}; }

}  // namespace

Command skill_command() {
  return {
      .name = "skill",
      .summary = "List, show and add skills: instructions that models can load",
      .description =
          "Skills are folders in ~/.cleveragents/skills and in the project's .cleveragents/skills "
          "(or else its .claude/skills). Models get names and descriptions, and read the rest when "
          "they need it. A project's skills are used once you trust them (`agents trust`).",
      .examples = {{"agents skill list", "Which there are"},
                   {"agents skill show release-notes", "What one says"}},
      .subcommands = {
          {.name = "list",
           .summary = "List skills",
           .examples = {{"agents skill list", "For people"},
                        {"agents skill list --format json", "For programs"}},
           .handler = list_skills},
          {.name = "show",
           .summary = "Show a skill: its text, files and where it comes from",
           .positionals = {skill_positional()},
           .examples = {{"agents skill show release-notes", "All of it"}},
           .handler = show_skill},
          {.name = "add",
           .summary = "Add a skill from a folder, or from flags",
           .description = "Checks the folder first, and never overwrites an existing one.",
           .positionals = {{.name = "FOLDER",
                            .summary = "A folder with a SKILL.md, or that file",
                            .required = false}},
           .options = {{.name = "name", .value = "NAME", .summary = "Its name"},
                       {.name = "description", .value = "TEXT", .summary = "When to use it"},
                       {.name = "body", .value = "TEXT", .summary = "The instructions"},
                       project_option()},
           .examples = {{"agents skill add ./release-notes", "A folder, with its files"},
                        {"agents skill add --name tone --description \"How we write\" --body "
                         "\"Short sentences.\"",
                         "From flags"}},
           .handler = add_skill},
          {.name = "remove",
           .summary = "Remove the folder of a skill",
           .positionals = {skill_positional()},
           .examples = {{"agents skill remove release-notes", "Its folder is deleted"}},
           .handler = remove_skill}}};
}

}  // namespace clever::service
