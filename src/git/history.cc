#include "git/history.h"

#include <algorithm>

#include "base/utf8.h"
#include "git/git_command.h"
#include "git/internal/blame_output.h"
#include "git/internal/in_quotes.h"
#include "git/internal/lines.h"
#include "git/project_group.h"

namespace clever::git {
namespace {

constexpr std::size_t kHistoryOutputLimit = std::size_t{32} << 20U;

base::Result<void> check_repository(const Project& project) {
  if (project.kind == ProjectKind::kRepository) return {};
  return base::invalid_argument("'" + printable(project.root.string()) +
                                "' is not a git repository, so it has no history");
}

/// The member of a group that has the history of a path, and the path there: none for all of it.
struct MemberHistory {
  const Project* member = nullptr;
  std::optional<TreePath> path{};
};
base::Result<MemberHistory> member_history(const Project& group,
                                           const std::optional<TreePath>& path) {
  std::string names;
  for (const Project& member : group.members) {
    if (path && path->text() == member.name) return MemberHistory{&member};
    names += (names.empty() ? "" : ", ") + member.name;
  }
  const auto at = path ? member_path(group, path->text()) : std::nullopt;
  if (!at) {
    return base::invalid_argument("each project has a history of its own: give a path in one of " +
                                  names);
  }
  CLEVER_ASSIGN(TreePath below, TreePath::parse(at->path));
  return MemberHistory{&group.members[at->member], std::move(below)};
}

constexpr std::size_t kFields = 5;

base::Result<std::vector<LogEntry>> entries_from(std::string_view output) {
  std::vector<LogEntry> entries;
  const auto fields = internal::pieces_of(output, '\0');
  for (std::size_t i = 0; i + kFields <= fields.size(); i += kFields) {
    CLEVER_ASSIGN(const ObjectId id, ObjectId::from_hex(fields[i]));
    entries.push_back({.id = id,
                       .author = base::to_valid_utf8(fields[i + 1]),
                       .email = base::to_valid_utf8(fields[i + 2]),
                       .date = std::string(fields[i + 3]),
                       .subject = base::to_valid_utf8(fields[i + 4])});
  }
  return entries;
}

base::Error blame_failure(const io::ProcessResult& result, const TreePath& path) {
  const std::string complaint = git_complaint(result);
  if (complaint.contains("no such path") || complaint.contains("no such ref") ||
      complaint.contains("bad revision") || complaint.contains("Cannot lstat")) {
    return base::not_found(internal::in_quotes(path.text()) +
                           " is not in the last commit: its lines have no history");
  }
  if (complaint.contains("has only")) return base::invalid_argument(complaint);
  return base::internal_error("git blame failed: " + complaint);
}

// One line more than is shown reveals whether there are more.
std::string range_option(const LineRange& range) {
  const std::uint64_t most = range.first + kMostBlameLines;
  const std::uint64_t last = range.last == 0 ? most : std::min(range.last, most);
  return "-L" + std::to_string(range.first) + "," + std::to_string(last);
}

}  // namespace

base::Result<Log> log(const Project& project, const std::optional<TreePath>& path, std::size_t max,
                      const base::StopToken& stop, base::Deadline deadline) {
  if (!project.members.empty()) {
    CLEVER_ASSIGN(const MemberHistory own, member_history(project, path));
    return log(*own.member, own.path, max, stop, deadline);
  }
  CLEVER_TRY(check_repository(project));
  CLEVER_ASSIGN(const HeadState head, head_state(project));
  Log result;
  if (!head.commit) return result;
  const std::size_t most = std::min(max, kLongestLog);
  std::vector<std::string> arguments = {"--literal-pathspecs",
                                        "log",
                                        "-z",
                                        "--no-show-signature",
                                        "--no-color",
                                        "--no-notes",
                                        "--encoding=UTF-8",
                                        "--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%s",
                                        "--max-count=" + std::to_string(most + 1),
                                        head.commit->to_hex(),
                                        "--"};
  if (path) arguments.push_back(path->text());
  CLEVER_ASSIGN(
      const std::string output,
      git_output(project.root, std::move(arguments),
                 {.output_limit = kHistoryOutputLimit, .stop = stop, .deadline = deadline}));
  CLEVER_ASSIGN(result.entries, entries_from(output));
  result.truncated = result.entries.size() > most;
  if (result.truncated) result.entries.resize(most);
  return result;
}

base::Result<Blame> blame(const Project& project, const TreePath& path,
                          std::optional<std::string_view> content, const LineRange& range,
                          const base::StopToken& stop, base::Deadline deadline) {
  if (!project.members.empty()) {
    CLEVER_ASSIGN(const MemberHistory own, member_history(project, path));
    return blame(*own.member, own.path.value_or(path), content, range, stop, deadline);
  }
  CLEVER_TRY(check_repository(project));
  if (range.first == 0 || (range.last != 0 && range.last < range.first)) {
    return base::invalid_argument(
        "lines " + std::to_string(range.first) + " to " + std::to_string(range.last) +
        " are not a range: count lines from 1 and write the first one first");
  }
  std::vector<std::string> arguments = {"-c",
                                        "blame.ignoreRevsFile=",
                                        "blame",
                                        "--line-porcelain",
                                        "--encoding=UTF-8",
                                        range_option(range)};
  if (content) {
    arguments.insert(arguments.end(), {"--contents", "-"});
  } else {
    arguments.emplace_back("HEAD");
  }
  arguments.insert(arguments.end(), {"--", path.text()});
  CLEVER_ASSIGN(const auto result, run_git(project.root, std::move(arguments),
                                           {.standard_input = std::string(content.value_or("")),
                                            .output_limit = kHistoryOutputLimit,
                                            .stop = stop,
                                            .deadline = deadline}));
  if (!result.succeeded()) return blame_failure(result, path);
  Blame blamed{.lines = internal::parse_blame(result.output), .truncated = result.truncated};
  if (blamed.lines.size() > kMostBlameLines) {
    blamed.lines.resize(kMostBlameLines);
    blamed.truncated = true;
  }
  return blamed;
}

}  // namespace clever::git
