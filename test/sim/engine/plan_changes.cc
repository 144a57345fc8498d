#include "sim/engine/plan_changes.h"

#include <algorithm>
#include <set>

#include "model/change_events.h"
#include "model/effect_events.h"

namespace clever::sim {
namespace {

class Reader {
 public:
  explicit Reader(const std::map<model::EffectId, std::size_t>& changes) : changes_(changes) {}

  std::vector<std::string> read(std::span<const model::StoredEvent> journal) {
    for (const model::StoredEvent& event : journal) take(event);
    for (const model::EffectId& effect : done_) check_all_there(effect);
    return std::move(flaws_);
  }

 private:
  struct Changeset {
    std::string effect{};
    std::size_t entries = 0;
    bool closed = false;
  };

  void take(const model::StoredEvent& event) {
    if (event.kind == model::ChangesetStarted::kKind) {
      changesets_[model::ChangesetStarted::parse(event.data)->id];
    } else if (event.kind == model::ChangesRecorded::kKind) {
      take(model::ChangesRecorded::parse(event.data).value());
    } else if (event.kind == model::ChangesetSealed::kKind) {
      for (auto& [id, changeset] : changesets_) changeset.closed = true;
    } else if (event.kind == model::EffectSettled::kKind) {
      const auto settled = model::EffectSettled::parse(event.data).value();
      if (settled.outcome == "done") done_.insert(settled.id);
    }
  }

  void take(const model::ChangesRecorded& recorded) {
    const auto found = changesets_.find(recorded.changeset);
    if (found == changesets_.end()) return flaw("a change without its changeset");
    Changeset& changeset = found->second;
    if (changeset.closed) flaw("a sealed changeset changed");
    for (const model::ChangeEntry& entry : recorded.entries) {
      if (changeset.entries++ == 0) changeset.effect = entry.tool;
      if (changeset.effect != entry.tool) flaw("a change is in another work's changeset");
    }
  }

  void check_all_there(const model::EffectId& effect) {
    const auto made = changes_.find(effect);
    if (made == changes_.end() || made->second == 0) return;
    const bool is_there = std::ranges::any_of(changesets_, [&](const auto& one) {
      return one.second.effect == effect.to_string() && one.second.entries == made->second;
    });
    if (!is_there) flaw("changes of work that was done are lost");
  }

  void flaw(std::string what) { flaws_.push_back(std::move(what)); }

  const std::map<model::EffectId, std::size_t>& changes_;
  std::map<model::ChangesetId, Changeset> changesets_;
  std::set<model::EffectId> done_;
  std::vector<std::string> flaws_;
};

}  // namespace

std::vector<std::string> flaws_of_changes(std::span<const model::StoredEvent> journal,
                                          const std::map<model::EffectId, std::size_t>& changes) {
  return Reader(changes).read(journal);
}

}  // namespace clever::sim
