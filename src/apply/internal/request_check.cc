#include "apply/internal/request_check.h"

#include <algorithm>
#include <array>

#include "git/object_id.h"
#include "git/project_group.h"
#include "git/tree_path.h"

namespace clever::apply::internal {
namespace {

base::Result<void> check_state(const model::FileState& state, const std::string& path) {
  constexpr auto kModes = std::to_array<std::uint32_t>({0100644, 0100755, 0120000});
  if (state.mode == 0160000) {
    return base::permission_denied(path + " is a submodule: submodules are read-only");
  }
  if (std::ranges::find(kModes, state.mode) == kModes.end()) {
    return base::invalid_argument(path + " has a mode that is neither a file's nor a link's");
  }
  return git::ObjectId::from_hex(state.object)
      .and_then([](const git::ObjectId&) { return base::Result<void>(); })
      .context("the object of " + path);
}

base::Result<void> check_change(const model::NetChange& change) {
  const std::string shown = git::printable(change.path);
  CLEVER_ASSIGN(const git::TreePath path, git::TreePath::parse(change.path));
  if (path.text() != change.path) {
    return base::invalid_argument(shown + " must be written as " + git::printable(path.text()));
  }
  if (change.before == change.after) {
    return base::invalid_argument(shown + " changes nothing");
  }
  if (change.before) CLEVER_TRY(check_state(*change.before, shown));
  if (change.after) CLEVER_TRY(check_state(*change.after, shown));
  return {};
}

base::Result<void> check_order(const std::vector<model::NetChange>& changes) {
  const auto out_of_order = std::ranges::adjacent_find(
      changes, [](const auto& one, const auto& next) { return one.path >= next.path; });
  if (out_of_order == changes.end()) return {};
  return base::invalid_argument("the changes are not sorted by path, one for each: " +
                                git::printable(out_of_order->path));
}

}  // namespace

base::Result<void> check_request(const Request& request) {
  CLEVER_TRY(check_order(request.changes));
  for (const model::NetChange& change : request.changes) CLEVER_TRY(check_change(change));
  const bool is_group = !request.project.members.empty();
  for (const model::NetChange& change : request.changes) {
    if (!is_group || git::member_path(request.project, change.path)) continue;
    return base::permission_denied(git::printable(change.path) +
                                   " lies in none of the plan's projects");
  }
  if (model::digest_of(request.changes) != request.digest) {
    return base::invalid_argument(
        "the changes are not the ones that were approved: the digest is " +
        model::digest_of(request.changes).to_hex() + ", approved was " + request.digest.to_hex());
  }
  if (!is_group && request.mode == Mode::kBranch &&
      request.project.kind != git::ProjectKind::kRepository) {
    return base::invalid_argument("a plain folder has no branches: apply to the working tree");
  }
  return {};
}

std::vector<model::NetChange> inverse(const std::vector<model::NetChange>& changes) {
  std::vector<model::NetChange> inverted = changes;
  for (model::NetChange& change : inverted) std::swap(change.before, change.after);
  return inverted;
}

}  // namespace clever::apply::internal
