#include "engine/sensitive_changes.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "base/glob.h"
#include "base/nearest.h"
#include "base/secret_marks.h"
#include "base/text.h"
#include "engine/internal/invisible_text.h"
#include "engine/permission_rules.h"
#include "git/hooks_path.h"
#include "git/project_group.h"
#include "model/permission_pattern.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

struct SensitiveKind {
  std::string_view kind{};
  std::string_view reason{};
};

using diff::FileDiff;
using diff::LineKind;
using git::FileMode;

/// The finding of one row in one file: nothing, the whole file (0), or a line number.
using Found = std::optional<std::uint64_t>;
using Look = Found (*)(const FileDiff& file, const SensitiveContext& context);

Found when(bool is) { return is ? Found(0) : std::nullopt; }

std::optional<std::string> content(const std::optional<git::Node>& node,
                                   const SensitiveContext& context) {
  if (!node || !context.content) return std::nullopt;
  auto bytes = context.content(*node);
  return bytes.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
}

// Finds the first added line that `matches` and that was not elsewhere in the file before.
template <class Matches>
Found added_line(const FileDiff& file, const Matches& matches) {
  std::set<std::string_view> moved;
  for (const diff::Hunk& hunk : file.hunks) {
    for (const diff::Line& line : hunk.lines) {
      if (line.kind == LineKind::kRemoved) moved.insert(line.text);
    }
  }
  for (const diff::Hunk& hunk : file.hunks) {
    std::uint64_t number = hunk.new_start;
    for (const diff::Line& line : hunk.lines) {
      const bool added = line.kind == LineKind::kAdded;
      if (added && !moved.contains(line.text) && matches(line.text)) return number;
      if (line.kind != LineKind::kRemoved) ++number;
    }
  }
  return std::nullopt;
}

// ---- what rows look for in a change

Found any_change(const FileDiff& /*file*/, const SensitiveContext& /*context*/) { return 0; }

Found names_driver(const FileDiff& file, const SensitiveContext& /*context*/) {
  return added_line(file, [](std::string_view line) {
    return std::ranges::any_of(std::array{"filter=", "diff=", "merge="}, [&](const char* name) {
      return line.find(name) != std::string_view::npos;
    });
  });
}

bool is_in_hooks_path(const FileDiff& file, const SensitiveContext& context) {
  const std::string folder = context.hooks_path + "/";
  return !context.hooks_path.empty() &&
         (file.path.starts_with(folder) || (file.from && file.from->starts_with(folder)));
}
Found hook_of_settings(const FileDiff& file, const SensitiveContext& context) {
  return when(is_in_hooks_path(file, context));
}

// Finds scripts that package managers and hook managers run by themselves. An unreadable file
// counts as one.
Found changes_scripts(const FileDiff& file, const SensitiveContext& context) {
  constexpr std::array kRun{"scripts", "husky", "lint-staged", "simple-git-hooks", "gitHooks"};
  if (!file.after) return std::nullopt;
  const auto object_in = [&](const std::optional<git::Node>& node) {
    const auto text = content(node, context);
    if (!text) return nlohmann::json();
    return nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  };
  const auto before = object_in(file.before);
  const auto after = object_in(file.after);
  if (!after.is_object()) return 0;
  const bool differs = std::ranges::any_of(kRun, [&](const char* key) {
    const auto now = after.find(key);
    if (now == after.end()) return false;
    return !before.is_object() || !before.contains(key) || before[key] != *now;
  });
  return when(differs);
}

bool is(const std::optional<git::Node>& node, FileMode mode) { return node && node->mode == mode; }

Found is_submodule(const FileDiff& file, const SensitiveContext& /*context*/) {
  return when(is(file.after, FileMode::kSubmodule));
}

// Git's trees cannot express these bits, so a tree that has them comes from another source.
Found sets_user_id(const FileDiff& file, const SensitiveContext& /*context*/) {
  constexpr std::uint32_t kSetIds = 06000;
  const auto bits = [](const std::optional<git::Node>& node) {
    return node ? static_cast<std::uint32_t>(node->mode) & kSetIds : 0U;
  };
  const bool has_type =
      is(file.after, FileMode::kSubmodule) || is(file.after, FileMode::kDirectory);
  return when(!has_type && (bits(file.after) & ~bits(file.before)) != 0);
}

// Returns true if a link at `path` with this target leads outside the project's tree.
bool leads_out(std::string_view path, std::string_view target) {
  if (target.starts_with('/')) return true;
  auto depth = std::ranges::count(path, '/');
  while (!target.empty()) {
    const std::size_t end = std::min(target.find('/'), target.size());
    const std::string_view name = target.substr(0, end);
    target.remove_prefix(std::min(end + 1, target.size()));
    if (name.empty() || name == ".") continue;
    depth += name == ".." ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}
Found links_outside(const FileDiff& file, const SensitiveContext& context) {
  if (!is(file.after, FileMode::kLink)) return std::nullopt;
  const auto target = content(file.after, context);
  return when(!target || leads_out(file.path, *target));
}

Found hides_text(const FileDiff& file, const SensitiveContext& /*context*/) {
  if (internal::hides_text(file.path) && (!file.before || file.from)) return 0;
  return added_line(file, internal::hides_text);
}

Found becomes_executable(const FileDiff& file, const SensitiveContext& /*context*/) {
  return when(file.binary && is(file.after, FileMode::kExecutable) &&
              !is(file.before, FileMode::kExecutable));
}

Found adds_mark(const FileDiff& file, const SensitiveContext& /*context*/) {
  return added_line(file, [](std::string_view line) {
    return !tool::cut_marks_in(line).empty() ||
           std::ranges::any_of(base::kSecretMarks, [&](std::string_view mark) {
             return line.find(mark) != std::string_view::npos;
           });
  });
}

// ---- the table

constexpr std::size_t kMostPatterns = 16;

/// One row: a kind, in words, and how it is recognised: `look` finds something in a path that is
/// like one of the patterns (lower case; none: any path).
struct Row {
  SensitiveKind what;
  std::array<std::string_view, kMostPatterns> patterns{};
  Look look = any_change;
};

constexpr std::array kRows{
    Row{{"git-hook", "git or a hook manager runs it"},
        {".githooks/**", "**/.husky/**", "**/.pre-commit-config.yaml", "**/lefthook.yml",
         "**/lefthook.yaml", "**/.lefthook/**"}},
    Row{{"git-hook", "git runs it: core.hooksPath names its folder"}, {}, hook_of_settings},
    Row{{"git-attributes", "git runs the filters and drivers that it names"},
        {"**/.gitattributes"},
        names_driver},
    Row{{"submodule", "git fetches the code of others from where it says"},
        {"**/.gitmodules", "**/.gitconfig"}},
    Row{{"submodule", "it brings the code of another repository"}, {}, is_submodule},
    Row{{"shell-environment", "a shell runs it as soon as it enters the folder"},
        {"**/.envrc", "**/mise.toml", "**/.mise.toml"}},
    Row{{"editor-task", "an editor runs what it says"},
        {"**/.vscode/tasks.json", "**/.vscode/launch.json", "**/.vscode/settings.json",
         "**/*.code-workspace", "**/.devcontainer/**", "**/.devcontainer.json",
         "**/.idea/runconfigurations/**", "**/.zed/tasks.json"}},
    Row{{"ci", "a build server runs it"},
        {".github/workflows/**", ".github/actions/**", "**/action.yml", "**/action.yaml",
         "**/.gitlab-ci.yml", ".gitlab/ci/**", ".forgejo/**", ".gitea/**", ".circleci/**",
         "**/azure-pipelines*.yml", "**/jenkinsfile*", ".travis.yml", "bitbucket-pipelines.yml",
         ".buildkite/**", ".woodpecker*", ".woodpecker/**"}},
    Row{{"package-script", "a package manager runs its scripts"},
        {"**/package.json"},
        changes_scripts},
    Row{{"agent-config", "agents take instructions, tools or permissions from it"},
        {"**/.cleveragents/**", "**/.claude/**", "**/.codex/**", "**/.gemini/**", "**/.cursor/**",
         "**/.mcp.json", "**/opencode.json", "**/agents.md", "**/claude.md", "**/claude.local.md",
         "**/gemini.md", "**/.cursorrules", "**/.opencode/**", ".github/copilot-instructions.md"}},
    Row{{"set-user-id", "it runs with the rights of its owner"}, {}, sets_user_id},
    Row{{"link-outside", "it leads out of the project"}, {}, links_outside},
    Row{{"invisible-text",
         "it holds characters that cannot be seen or that change the order of "
         "the text"},
        {},
        hides_text},
    Row{{"executable-binary", "it is a program that cannot be read"}, {}, becomes_executable},
    Row{{"redaction-mark", "a mark that stands for what was not shown took its place"},
        {},
        adds_mark},
};

constexpr auto kKinds = [] {
  std::array<SensitiveKind, kRows.size()> kinds{};
  std::ranges::transform(kRows, kinds.begin(), &Row::what);
  return kinds;
}();

// `paths` are in lower case.
bool has_path(const Row& row, const std::vector<std::string>& paths) {
  if (row.patterns.front().empty()) return true;
  return std::ranges::any_of(row.patterns, [&](std::string_view pattern) {
    return !pattern.empty() && std::ranges::any_of(paths, [&](const std::string& path) {
      return is_like_path(pattern, path);
    });
  });
}

// ---- rules

struct Rule {
  model::Verdict verdict;
  std::string argument;
};

std::vector<Rule> sensitive_rules(const model::Control& control) {
  std::vector<Rule> rules;
  for (const model::Permission& rule : control.permissions) {
    const auto pattern = model::parse_permission(rule.pattern);
    if (!pattern.ok() || pattern->tool != kSensitiveRule) continue;
    rules.push_back({rule.verdict, pattern->argument});
  }
  return rules;
}

bool concerns_change(const Rule& rule, const SensitiveChange& change) {
  return rule.argument.empty() || base::matches_wildcards(rule.argument, change.kind) ||
         is_like_path(rule.argument, change.path);
}

model::Verdict verdict_on(const SensitiveChange& change, const std::vector<Rule>& rules) {
  using enum model::Verdict;
  for (const model::Verdict verdict : {kDeny, kAsk, kAllow}) {
    const bool said = std::ranges::any_of(rules, [&](const Rule& rule) {
      return rule.verdict == verdict && concerns_change(rule, change);
    });
    if (said) return verdict;
  }
  return kAsk;
}

void add_name(std::string& names, std::size_t& count, const SensitiveChange& change) {
  constexpr std::size_t kMostNamed = 5;
  ++count;
  if (count > kMostNamed) return;
  names += (names.empty() ? "" : ", ") + change.path + " (" + std::string(change.kind) + ")";
}

}  // namespace

std::vector<SensitiveChange> sensitive_changes(std::span<const FileDiff> files,
                                               const SensitiveContext& context) {
  std::vector<SensitiveChange> changes;
  for (const FileDiff& file : files) {
    if (context.stop.stop_requested()) break;
    std::set<std::string_view> kinds;
    std::vector<std::string> paths{base::lower_case(file.path)};
    if (file.from) paths.push_back(base::lower_case(*file.from));
    for (const Row& row : kRows) {
      if (kinds.contains(row.what.kind) || !has_path(row, paths)) continue;
      const Found line = row.look(file, context);
      if (!line) continue;
      kinds.insert(row.what.kind);
      changes.push_back({file.path, row.what.kind, row.what.reason, *line});
    }
  }
  return changes;
}

namespace {

// Judges each project of a group by itself, so that paths from its root count.
std::vector<SensitiveChange> changes_in_group(const git::Project& group,
                                              std::span<const FileDiff> diffs,
                                              SensitiveContext context) {
  std::vector<SensitiveChange> all;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const git::Project& member = group.members[i];
    std::vector<FileDiff> own;
    for (const FileDiff& file : diffs) {
      const auto at = git::member_path(group, file.path);
      if (!at || at->member != i) continue;
      FileDiff& inside = own.emplace_back(file);
      inside.path = std::string(at->path);
      if (!file.from) continue;
      const auto from = git::member_path(group, *file.from);
      inside.from = from ? std::string(from->path) : *file.from;
    }
    context.hooks_path = own.empty() ? std::string() : git::hooks_path(member);
    for (SensitiveChange& change : sensitive_changes(own, context)) {
      change.path = member.name + "/" + change.path;
      all.push_back(std::move(change));
    }
  }
  return all;
}

std::vector<SensitiveChange> changes_until(const PlanFiles& files, std::span<const FileDiff> diffs,
                                           const base::StopToken& stop) {
  SensitiveContext context{
      .content = [&](const git::Node& node) { return files.store->blob(node.id); }, .stop = stop};
  if (!files.project.members.empty()) return changes_in_group(files.project, diffs, context);
  if (!diffs.empty()) context.hooks_path = git::hooks_path(files.project);
  return sensitive_changes(diffs, context);
}

}  // namespace

std::vector<SensitiveChange> sensitive_changes(const PlanFiles& files,
                                               std::span<const FileDiff> diffs) {
  return changes_until(files, diffs, {});
}

base::Result<std::vector<SensitiveChange>> sensitive_changes(const PlanFiles& files,
                                                             std::span<const FileDiff> diffs,
                                                             const base::StopToken& stop) {
  auto changes = changes_until(files, diffs, stop);
  if (stop.stop_requested()) return base::cancelled("stopped while looking at changes");
  return changes;
}

base::Result<std::vector<SensitiveChange>> sensitive_changes(const PlanFiles& files,
                                                             const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto diffs, diff::diff_trees(*files.store, files.base, files.tree, {}, stop));
  return sensitive_changes(files, diffs, stop);
}

SensitiveVerdict judge_sensitive(const std::vector<SensitiveChange>& changes,
                                 const model::Control& control) {
  const std::vector<Rule> rules = sensitive_rules(control);
  std::string denied;
  std::string asked;
  std::size_t denials = 0;
  std::size_t questions = 0;
  for (const SensitiveChange& change : changes) {
    const model::Verdict verdict = verdict_on(change, rules);
    if (verdict == model::Verdict::kDeny) add_name(denied, denials, change);
    if (verdict == model::Verdict::kAsk) add_name(asked, questions, change);
  }
  const auto sentence = [](const std::string& before, const std::string& names, std::size_t count) {
    if (count == 0) return std::string();
    return before + names + (count > 5 ? " and " + std::to_string(count - 5) + " more" : "");
  };
  return {.denied = sentence("a rule denies sensitive changes: ", denied, denials),
          .asked = sentence("sensitive changes need a person: ", asked, questions)};
}

std::string sensitive_complaint(std::string_view argument) {
  const auto is_kind = [&](const SensitiveKind& kind) {
    return base::matches_wildcards(argument, kind.kind);
  };
  if (argument.empty() || std::ranges::any_of(kKinds, is_kind)) return {};
  // The word is probably a path.
  if (argument.find_first_of("/.*?") != std::string_view::npos) return {};
  std::vector<std::string> names;
  std::string all;
  for (const SensitiveKind& kind : kKinds) {
    if (std::ranges::find(names, kind.kind) != names.end()) continue;
    names.emplace_back(kind.kind);
    all += (all.empty() ? "" : ", ") + names.back();
  }
  const auto nearest = base::nearest_match(argument, names);
  return "no kind of sensitive change has this name" +
         (nearest ? "; did you mean " + *nearest + "?" : "; there are: " + all);
}

}  // namespace clever::engine
