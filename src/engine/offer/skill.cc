#include "engine/offer/skill.h"

#include <algorithm>

#include "base/utf8.h"
#include "io/directory.h"
#include "io/file.h"
#include "model/yaml.h"

namespace clever::engine {
namespace {

using model::YamlValue;
using YamlKind = YamlValue::Kind;

constexpr std::size_t kLargestSkill = std::size_t{1} << 20U;
constexpr std::size_t kMostSkills = 500;
constexpr std::size_t kMostSkillFiles = 1000;
constexpr int kDeepestSkillFolder = 8;
constexpr std::size_t kLongestSkillName = 64;
constexpr std::size_t kLongestDescription = 1024;

bool is_skill_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kLongestSkillName && std::ranges::all_of(name, fits);
}

struct Parts {
  std::string matter{};
  std::string body{};
};

// Cuts the first line off the text and returns it without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

base::Result<Parts> split(std::string_view text, std::string_view file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (take_line(text) != "---") {
    return model::yaml_error(file, 1,
                             "a skill begins with a line of three dashes, then name and "
                             "description, then three dashes again");
  }
  // Keeps the first line as an empty one, so that line numbers stay right.
  Parts parts{.matter = "\n"};
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line == "---") {
      parts.body = text;
      return parts;
    }
    parts.matter.append(line).append("\n");
  }
  return model::yaml_error(file, 1, "the line of three dashes that ends the beginning is missing");
}

class SkillReader {
 public:
  SkillReader(const YamlValue& document, std::string_view file)
      : document_(document), file_(file) {}

  base::Result<Skill> read() const {
    if (!document_.is(YamlKind::kMapping)) {
      return model::yaml_error(file_, 2,
                               "between the dashes stands " + describe(document_) +
                                   ", but name and description must: `name: …`");
    }
    Skill skill{.place = std::string(file_)};
    CLEVER_ASSIGN(skill.name, text("name"));
    if (!is_skill_name(skill.name)) {
      return wrong("name", "must be 1 to 64 small letters, digits, - and _");
    }
    CLEVER_ASSIGN(skill.description, text("description"));
    if (skill.description.size() > kLongestDescription) {
      return wrong("description", "is longer than 1024 bytes; shorten it");
    }
    CLEVER_ASSIGN(skill.allowed_tools, tools());
    return skill;
  }

 private:
  [[nodiscard]] const YamlValue* find(std::string_view key) const {
    const auto found = std::ranges::find_if(
        document_.members, [&](const auto& member) { return member.first.text == key; });
    return found == document_.members.end() ? nullptr : &found->second;
  }

  base::Result<std::string> text(std::string_view key) const {
    const YamlValue* value = find(key);
    if (value == nullptr) {
      return model::yaml_error(file_, 2, "the key \"" + std::string(key) + "\" is missing");
    }
    if (!value->is(YamlKind::kScalar) || value->text.empty()) return wrong(key, "must be a text");
    return value->text;
  }

  // Accepts a list, or one text with commas or blanks between the names.
  base::Result<std::vector<std::string>> tools() const {
    std::vector<std::string> names;
    const YamlValue* value = find("allowed-tools");
    if (value == nullptr || value->is(YamlKind::kNull)) return names;
    const bool is_list =
        value->is(YamlKind::kList) && std::ranges::all_of(value->items, [](const YamlValue& item) {
          return item.is(YamlKind::kScalar);
        });
    if (!is_list && !value->is(YamlKind::kScalar)) return wrong("allowed-tools", "must be a list");
    for (const YamlValue& item : value->items) names.push_back(item.text);
    std::string_view rest = value->text;
    while (!rest.empty()) {
      // "run_command(git log *)" is one name, despite its blanks.
      std::size_t end = 0;
      int depth = 0;
      for (; end < rest.size(); ++end) {
        depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
        if (depth <= 0 && (rest[end] == ' ' || rest[end] == ',')) break;
      }
      if (end > 0) names.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
  }

  [[nodiscard]] base::Error wrong(std::string_view key, std::string_view what) const {
    return model::yaml_error(file_, find(key)->line, std::string(key) + " " + std::string(what));
  }

  const YamlValue& document_;
  const std::string_view file_;
};

base::Result<Skill> load(const std::filesystem::path& folder, bool of_project) {
  const std::string file = base::to_valid_utf8((folder / "SKILL.md").string());
  CLEVER_ASSIGN(const io::Directory directory, io::Directory::open(folder));
  CLEVER_ASSIGN(const std::string text, directory.read_file("SKILL.md", kLargestSkill));
  CLEVER_ASSIGN(Skill skill, parse_skill(text, file));
  skill.folder = folder;
  skill.of_project = of_project;
  return skill;
}

base::Result<void> add_files(const io::Directory& folder, const std::string& below, int depth,
                             std::vector<std::string>& files) {
  std::vector<std::string> folders;
  CLEVER_TRY(folder.list(below, [&](std::string_view name, io::EntryFacts::Kind kind) {
    std::string path = below.empty() ? std::string(name) : below + "/" + std::string(name);
    if (kind == io::EntryFacts::Kind::kDirectory)
      folders.push_back(std::move(path));
    else if (kind == io::EntryFacts::Kind::kFile)
      files.push_back(std::move(path));
    return files.size() < kMostSkillFiles;
  }));
  if (depth >= kDeepestSkillFolder) return {};
  for (const std::string& path : folders) CLEVER_TRY(add_files(folder, path, depth + 1, files));
  return {};
}

}  // namespace

base::Result<Skill> parse_skill(std::string_view text, std::string_view file) {
  if (text.size() > kLargestSkill) return model::yaml_error(file, 1, "a skill has at most 1 MiB");
  CLEVER_ASSIGN(Parts parts, split(text, file));
  CLEVER_ASSIGN(const YamlValue document, model::read_yaml(parts.matter, file));
  CLEVER_ASSIGN(Skill skill, SkillReader(document, file).read());
  skill.body = base::to_valid_utf8(parts.body);
  return skill;
}

FoundSkills skills_in(const std::filesystem::path& folder, bool of_project) {
  FoundSkills found;
  if (io::file_kind(folder) != io::FileKind::kDirectory) return found;
  const auto directory = io::Directory::open(folder);
  if (!directory.ok()) {
    found.problems.push_back(directory.error());
    return found;
  }
  std::vector<std::string> names;
  auto listed = directory->list("", [&](std::string_view name, io::EntryFacts::Kind kind) {
    if (kind == io::EntryFacts::Kind::kDirectory) names.emplace_back(name);
    return names.size() < kMostSkills;
  });
  if (!listed.ok()) found.problems.push_back(std::move(listed).error());
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (!directory->facts(name + "/SKILL.md").ok()) continue;
    auto skill = load(folder / name, of_project);
    if (!skill.ok()) {
      found.problems.push_back(std::move(skill).error());
    } else if (std::ranges::find(found.skills, skill->name, &Skill::name) != found.skills.end()) {
      found.problems.push_back(base::invalid_argument(skill->place + ": the skill " + skill->name +
                                                      " is there already; rename one"));
    } else {
      found.skills.push_back(*std::move(skill));
    }
  }
  return found;
}

base::Result<std::vector<std::string>> skill_files(const Skill& skill) {
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(skill.folder));
  std::vector<std::string> files;
  CLEVER_TRY(add_files(folder, "", 0, files));
  std::erase(files, "SKILL.md");
  std::ranges::sort(files);
  return files;
}

base::Result<NamedCommand> named_command(const Skill& skill, const std::filesystem::path& project) {
  const std::filesystem::path folder = skill.folder.lexically_relative(project);
  NamedCommand command{.kind = "skill",
                       .name = skill.name,
                       .argv = {folder.string()},
                       .place = skill.place,
                       .files = {(folder / "SKILL.md").string()}};
  CLEVER_ASSIGN(const auto files, skill_files(skill));
  for (const std::string& file : files) command.files.push_back((folder / file).string());
  return command;
}

std::string skill_list(const std::vector<Skill>& skills, std::size_t budget) {
  std::string text;
  std::size_t left_out = 0;
  for (const Skill& skill : skills) {
    std::string line = "- " + skill.name + ": " + skill.description + "\n";
    std::replace(line.begin(), line.end() - 1, '\n', ' ');
    if (text.size() + line.size() > budget) {
      ++left_out;
    } else {
      text += line;
    }
  }
  if (left_out > 0) text += "- … and " + std::to_string(left_out) + " more\n";
  return base::to_valid_utf8(text);
}

}  // namespace clever::engine
