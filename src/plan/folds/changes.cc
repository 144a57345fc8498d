#include "model/change_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {
namespace {

CurrentChangeset* find(State& state, const model::ChangesetId& id) {
  if (state.changeset.id == id) return &state.changeset;
  const auto other = state.changesets.find(id);
  return other == state.changesets.end() ? nullptr : &other->second;
}

}  // namespace

base::Result<void> changeset_started(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto started, read<model::ChangesetStarted>(state, event));
  if (find(state, started.id) != nullptr) {
    return cannot_follow(state, event, "the changeset exists already");
  }
  state.changesets.emplace(started.id, CurrentChangeset{.id = started.id});
  return {};
}

base::Result<void> work_began(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto began, read<model::WorkBegan>(state, event));
  auto started = state.changesets.extract(began.changeset);
  if (!started) return cannot_follow(state, event, "the changeset was not started");
  state.changeset = std::move(started.mapped());
  return {};
}

base::Result<void> changes_recorded(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto recorded, read<model::ChangesRecorded>(state, event));
  CurrentChangeset* changeset = find(state, recorded.changeset);
  if (changeset == nullptr || changeset->digest) {
    return cannot_follow(state, event, "the changeset is not open");
  }
  changeset->entries += static_cast<std::int64_t>(recorded.entries.size());
  return {};
}

base::Result<void> changeset_sealed(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto sealed, read<model::ChangesetSealed>(state, event));
  CurrentChangeset* changeset = find(state, sealed.changeset);
  if (changeset == nullptr || changeset->digest) {
    return cannot_follow(state, event, "the changeset is not open");
  }
  changeset->digest = sealed.digest;
  if (changeset == &state.changeset) {
    for (auto& [id, other] : state.changesets) other.closed = true;
  }
  return {};
}

}  // namespace clever::plan::folds
