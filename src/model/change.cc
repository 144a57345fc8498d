#include "model/change.h"

#include <array>
#include <map>

#include "model/internal/names.h"

namespace clever::model {
namespace {

constexpr std::array<std::string_view, 6> kOperations{"create", "modify", "delete",
                                                      "move",   "mode",   "restored"};

using Net = std::map<std::string, NetChange>;

// Keeps the state before a path's first change, and the state after its last.
void take(Net& net, const std::string& path, const std::optional<FileState>& before,
          const std::optional<FileState>& after) {
  const auto [place, is_first] = net.try_emplace(path, NetChange{path, before, after});
  if (!is_first) place->second.after = after;
}

// Prefixes each part with its length, so that no two lists of changes give the same text.
void add(base::Sha256& hash, std::string_view part) {
  hash.update(std::to_string(part.size())).update(":").update(part);
}

void add(base::Sha256& hash, const std::optional<FileState>& state) {
  if (!state) return add(hash, "none");
  add(hash, std::to_string(state->mode));
  add(hash, state->hash.to_hex());
}

// Compares the files; where their bytes are stored does not matter.
bool same(const std::optional<FileState>& one, const std::optional<FileState>& other) {
  if (!one || !other) return !one && !other;
  return one->mode == other->mode && one->hash == other->hash;
}

}  // namespace

std::string_view to_string(ChangeOperation operation) noexcept {
  return kOperations[static_cast<std::size_t>(operation)];
}

base::Result<ChangeOperation> change_operation_from_string(std::string_view name) {
  return internal::parse_name<ChangeOperation>(kOperations, name, "operation on a file");
}

std::vector<NetChange> net_changes(std::span<const ChangeEntry> entries) {
  Net net;
  for (const ChangeEntry& entry : entries) {
    if (entry.from) {
      take(net, *entry.from, entry.before, std::nullopt);
      take(net, entry.path, std::nullopt, entry.after);
    } else {
      take(net, entry.path, entry.before, entry.after);
    }
  }
  std::vector<NetChange> changes;
  for (auto& [path, change] : net) {
    if (!same(change.before, change.after)) changes.push_back(std::move(change));
  }
  return changes;
}

base::Sha256Digest digest_of(std::span<const NetChange> changes) {
  base::Sha256 hash;
  add(hash, "changeset 1");
  for (const NetChange& change : changes) {
    add(hash, change.path);
    add(hash, change.before);
    add(hash, change.after);
  }
  return hash.finish();
}

}  // namespace clever::model
