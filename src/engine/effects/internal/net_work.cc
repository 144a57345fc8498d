#include "engine/effects/internal/net_work.h"

#include <algorithm>
#include <map>

#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

using model::ChangeEntry;
using model::ChangeOperation;
using model::NetChange;
using State = std::optional<model::FileState>;

// The states of a path before the first entry and after the last.
struct Known {
  State before{};
  State after{};
};

std::map<std::string, Known> known_paths(const std::vector<ChangeEntry>& entries) {
  std::map<std::string, Known> known;
  const auto take = [&](const std::string& path, const State& before, const State& after) {
    const auto [place, is_first] = known.try_emplace(path, Known{before, after});
    if (!is_first) place->second.after = after;
  };
  for (const ChangeEntry& entry : entries) {
    if (entry.from) {
      take(*entry.from, entry.before, std::nullopt);
      take(entry.path, std::nullopt, entry.after);
    } else {
      take(entry.path, entry.before, entry.after);
    }
  }
  return known;
}

ChangeOperation operation_of(const State& before, const State& after) {
  if (!before) return ChangeOperation::kCreate;
  if (!after) return ChangeOperation::kDelete;
  return before->hash == after->hash ? ChangeOperation::kMode : ChangeOperation::kModify;
}

}  // namespace

base::Result<std::vector<NetChange>> net_work(const plan::State& plan, git::ObjectStore& store) {
  if (!plan.base) return base::conflict("plan " + plan.id.to_string() + " has no base yet");
  CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(plan.base->tree));
  CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(plan.tree));
  CLEVER_ASSIGN(const auto entries, tool::changes_between(store, base, tree, {}));
  return model::net_changes(entries);
}

base::Result<std::vector<ChangeEntry>> missing_entries(const std::vector<ChangeEntry>& entries,
                                                       const std::vector<NetChange>& wanted,
                                                       const model::DecisionId& decision) {
  std::map<std::string, Known> known = known_paths(entries);
  std::vector<ChangeEntry> missing;
  const auto add = [&](const std::string& path, const State& now, const State& after,
                       bool is_known) {
    if (now == after) return;
    missing.push_back(
        {.path = path,
         .operation = is_known ? ChangeOperation::kRestored : operation_of(now, after),
         .before = now,
         .after = after,
         .tool = "seal",
         .decision = decision});
  };
  for (const NetChange& change : wanted) {
    const auto path = known.extract(change.path);
    if (path && path.mapped().before != change.before) {
      return base::corruption("the changeset does not record what " + change.path +
                              " was before the plan");
    }
    add(change.path, path ? path.mapped().after : change.before, change.after, !path.empty());
  }
  // Skips paths that ended as they began.
  for (const auto& [path, state] : known) add(path, state.after, state.before, true);
  return missing;
}

}  // namespace clever::engine::internal
