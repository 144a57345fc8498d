#include "engine/effects/internal/secret_changes.h"

#include <set>

#include "git/tree.h"

namespace clever::engine::internal {
namespace {

// A typed secret is not in a file larger than this.
constexpr std::size_t kLargestLookedAt = std::size_t{64} << 20U;

base::Result<bool> holds_secret(git::ObjectStore& store, const std::optional<git::Node>& node,
                                const base::Secrets& secrets) {
  if (!node || node->mode == git::FileMode::kSubmodule) return false;
  const auto content = store.blob(node->id, kLargestLookedAt);
  if (content.ok()) return secrets.found_in(*content);
  if (content.error().code() == base::ErrorCode::kResourceExhausted) return false;
  return content.error();
}

}  // namespace

base::Result<void> check_no_new_secret(const plan::State& plan, git::ObjectStore& store,
                                       const base::Secrets& secrets, const base::StopToken& stop) {
  if (!plan.base) return {};
  CLEVER_ASSIGN(const git::ObjectId before, git::ObjectId::from_hex(plan.base->tree));
  CLEVER_ASSIGN(const git::ObjectId after, git::ObjectId::from_hex(plan.tree));
  CLEVER_ASSIGN(const auto differences, git::compare(store, before, after, stop));
  std::set<git::ObjectId> known;
  for (const git::TreeDifference& difference : differences) {
    if (difference.before) known.insert(difference.before->id);
  }
  for (const git::TreeDifference& difference : differences) {
    // The file only moved.
    if (difference.after && known.contains(difference.after->id)) continue;
    CLEVER_ASSIGN(const bool now, holds_secret(store, difference.after, secrets));
    if (!now) continue;
    CLEVER_ASSIGN(const bool earlier, holds_secret(store, difference.before, secrets));
    if (earlier) continue;
    return base::permission_denied(
        git::printable(difference.path.text()) +
        " would contain a known secret (a key, or the login of an agent), so the changes cannot be "
        "applied: tell the plan to remove it (`agents plan prompt`)");
  }
  return {};
}

}  // namespace clever::engine::internal
