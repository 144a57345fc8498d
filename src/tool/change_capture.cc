#include "tool/change_capture.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "git/tree.h"

namespace clever::tool {
namespace {

using git::FileMode;
using git::Node;
using git::TreeDifference;
using model::ChangeEntry;
using model::ChangeOperation;

// A submodule is a commit of another repository: there are no bytes to hash.
base::Result<model::FileState> state_of(git::ObjectStore& store, const Node& node) {
  model::FileState state{.mode = static_cast<std::uint32_t>(node.mode), .object = node.id.to_hex()};
  if (node.mode == FileMode::kSubmodule) return state;
  CLEVER_ASSIGN(const git::ObjectStore::Header header, store.header(node.id));
  CLEVER_ASSIGN(const std::string content,
                store.blob(node.id, static_cast<std::size_t>(header.size)));
  state.hash = base::sha256(content);
  return state;
}

base::Result<std::optional<model::FileState>> state_of(git::ObjectStore& store,
                                                       const std::optional<Node>& node) {
  if (!node) return std::optional<model::FileState>();
  CLEVER_ASSIGN(model::FileState state, state_of(store, *node));
  return std::optional(std::move(state));
}

bool is_file(const Node& node) {
  return node.mode == FileMode::kFile || node.mode == FileMode::kExecutable;
}

ChangeOperation operation_of(const TreeDifference& difference) {
  if (!difference.before) return ChangeOperation::kCreate;
  if (!difference.after) return ChangeOperation::kDelete;
  const Node& before = *difference.before;
  const Node& after = *difference.after;
  const bool same_content = before.id == after.id && is_file(before) && is_file(after);
  return same_content ? ChangeOperation::kMode : ChangeOperation::kModify;
}

// Pairs each new file with a vanished one of the same content; of several, with the one of the same
// name, else the first.
class Moves {
 public:
  explicit Moves(const std::vector<TreeDifference>& differences) {
    for (const TreeDifference& difference : differences) {
      if (difference.before && !difference.after)
        vanished_.emplace(*difference.before, &difference);
    }
    for (const TreeDifference& difference : differences) {
      if (!difference.before && difference.after) match(difference);
    }
  }

  [[nodiscard]] bool left(const TreeDifference& difference) const {
    return left_.contains(&difference);
  }
  [[nodiscard]] const TreeDifference* source_of(const TreeDifference& difference) const {
    const auto found = sources_.find(&difference);
    return found == sources_.end() ? nullptr : found->second;
  }

 private:
  void match(const TreeDifference& appeared) {
    const auto [begin, end] = vanished_.equal_range(*appeared.after);
    if (begin == end) return;
    const auto same_name = std::find_if(begin, end, [&](const auto& candidate) {
      return candidate.second->path.name() == appeared.path.name();
    });
    const auto chosen = same_name == end ? begin : same_name;
    sources_.emplace(&appeared, chosen->second);
    left_.insert(chosen->second);
    vanished_.erase(chosen);
  }

  std::multimap<Node, const TreeDifference*> vanished_;
  std::map<const TreeDifference*, const TreeDifference*> sources_;
  std::set<const TreeDifference*> left_;
};

base::Result<ChangeEntry> entry_of(git::ObjectStore& store, const TreeDifference& difference,
                                   const TreeDifference* source, const ChangeOrigin& origin) {
  ChangeEntry entry{.path = difference.path.text(),
                    .operation = operation_of(difference),
                    .tool = origin.tool,
                    .decision = origin.decision,
                    .time = origin.time};
  if (source != nullptr) {
    entry.operation = ChangeOperation::kMove;
    entry.from = source->path.text();
  }
  const TreeDifference& from = source == nullptr ? difference : *source;
  CLEVER_ASSIGN(entry.before, state_of(store, from.before));
  CLEVER_ASSIGN(entry.after, state_of(store, difference.after));
  return entry;
}

}  // namespace

base::Result<std::vector<ChangeEntry>> changes_between(git::ObjectStore& store,
                                                       const git::ObjectId& before,
                                                       const git::ObjectId& after,
                                                       const ChangeOrigin& origin) {
  std::vector<ChangeEntry> entries;
  if (before == after) return entries;
  CLEVER_ASSIGN(const std::vector<TreeDifference> differences, git::compare(store, before, after));
  const Moves moves(differences);
  for (const TreeDifference& difference : differences) {
    if (moves.left(difference)) continue;
    CLEVER_ASSIGN(ChangeEntry entry,
                  entry_of(store, difference, moves.source_of(difference), origin));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace clever::tool
