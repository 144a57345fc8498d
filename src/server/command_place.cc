#include "server/command_place.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/file.h"
#include "io/file_names.h"
#include "service/text.h"

namespace clever::server {
namespace {

using service::Invocation;
using service::WirePlace;
using service::WireRequest;

// Operations, with all below them, that are not about the project in a folder.
constexpr auto kOfNoProject = std::to_array<std::string_view>(
    {"config get",   "config list",    "config path", "config set", "config unset", "provider",
     "model",        "budget",         "token",       "queue",      "inbox",        "project list",
     "project add",  "project remove", "db",          "agent list", "worker list",  "worker drain",
     "session list", "cleanup",        "diagnostics"});

bool needs_project(std::string_view operation, const Invocation& invocation) {
  if (invocation.flag("all-projects")) return false;
  const bool is_of_none = std::ranges::any_of(kOfNoProject, [operation](std::string_view group) {
    return operation == group || operation.starts_with(std::string(group) + " ");
  });
  return !is_of_none || invocation.flag("project");
}

bool is_beneath(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto [end, unused] = std::ranges::mismatch(folder, path);
  return end == folder.end();
}

// A folder of this machine: the client's own.
std::optional<std::filesystem::path> own_folder(
    const WirePlace& place, const service::Caller& caller,
    const std::vector<service::RegisteredProject>& known) {
  const std::filesystem::path folder(place.directory);
  const std::string host = service::this_host();
  if (host.empty() || place.host != host || !folder.is_absolute()) return std::nullopt;
  if (io::file_kind(folder) != io::FileKind::kDirectory) return std::nullopt;
  const auto real = io::real_path(folder);
  if (!real.ok()) return std::nullopt;
  const bool is_known = std::ranges::any_of(known, [&](const service::RegisteredProject& project) {
    return is_beneath(*real, project.path);
  });
  const bool may_name = caller.rights.has(service::Right::kAdmin) && !caller.namespaces;
  if (is_known || may_name) return folder;
  return std::nullopt;
}

// The projects of the same repository.
std::vector<service::RegisteredProject> same_repository(
    const WirePlace& place, const std::vector<service::RegisteredProject>& known) {
  std::vector<service::RegisteredProject> same;
  if (place.root_commits.empty()) return same;
  for (const service::RegisteredProject& project : known) {
    const WirePlace theirs = service::completed({.directory = project.path.string()});
    const bool has_first = std::ranges::any_of(place.root_commits, [&](const std::string& commit) {
      return std::ranges::count(theirs.root_commits, commit) > 0;
    });
    if (has_first && service::share_remote(place.remotes, theirs.remotes)) same.push_back(project);
  }
  return same;
}

// The plan that the words name works somewhere.
std::optional<std::filesystem::path> folder_of_plan(const Invocation& invocation,
                                                    const service::Caller& caller,
                                                    const Operations& operations) {
  const auto& positionals = invocation.command().positionals;
  if (positionals.empty() || positionals[0].name != "PLAN" || invocation.words().empty()) {
    return std::nullopt;
  }
  const auto folder = operations.project_of(invocation.words()[0]);
  if (!folder.ok() || !caller.sees_project(*folder)) return std::nullopt;
  return *folder;
}

Problem which_project(const WirePlace& place, const std::vector<service::RegisteredProject>& same,
                      const std::vector<service::RegisteredProject>& known) {
  std::vector<std::string> ids;
  for (const service::RegisteredProject& project : same.empty() ? known : same)
    ids.push_back(project.id);
  const std::string what = same.empty() ? "no project of the server is the one in "
                                        : "several projects of the server may be the one in ";
  return {.status = 409,
          .code = "which_project",
          .detail = what + place.directory +
                    (ids.empty() ? "; none is registered" : "; there are " + base::joined(ids)),
          .hint = ids.empty() ? "on the server's machine `agents project add DIR` registers one"
                              : "--project ID names one"};
}

}  // namespace

std::variant<std::filesystem::path, Problem> place_of(const WireRequest& request,
                                                      const Invocation& invocation,
                                                      const service::Caller& caller,
                                                      const service::Projects& projects,
                                                      const Operations& operations) {
  const WirePlace& place = request.place;
  if (!place.project.empty()) {
    const auto named = projects.find(caller, place.project);
    if (!named.ok()) return problem_of(named.error());
    return named->path;
  }
  const auto known = projects.list(caller);
  if (!known.ok()) return problem_of(known.error());
  if (auto folder = own_folder(place, caller, *known)) return *std::move(folder);
  if (auto folder = folder_of_plan(invocation, caller, operations)) return *std::move(folder);
  const bool needs = needs_project(request.operation, invocation);
  if (!needs) return operations.neutral_folder();
  if (!place.is_complete) return which_project(place, {}, *known);
  const auto same = same_repository(place, *known);
  if (same.size() == 1) return same.front().path;
  return which_project(place, same, *known);
}

}  // namespace clever::server
