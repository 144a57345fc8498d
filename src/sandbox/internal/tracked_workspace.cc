#include "sandbox/internal/tracked_workspace.h"

#include "base/check.h"
#include "base/guarded.h"
#include "base/plant.h"

namespace clever::sandbox::internal {
namespace {

class TrackedWorkspace final : public Workspace {
 public:
  TrackedWorkspace(std::shared_ptr<Workspace> inner, std::shared_ptr<RecordKeeper> keeper)
      : inner_(std::move(inner)), keeper_(std::move(keeper)) {}

  [[nodiscard]] base::Result<git::TreePath> resolve(std::string_view text) const override {
    return inner_->resolve(text);
  }
  [[nodiscard]] base::Result<FileContent> read(const git::TreePath& path) override {
    return inner_->read(path);
  }
  [[nodiscard]] base::Result<Listing> list(std::string_view glob, std::size_t limit,
                                           const base::StopToken& stop) override {
    return inner_->list(glob, limit, stop);
  }
  [[nodiscard]] base::Result<SearchResult> search(const SearchOptions& options,
                                                  const base::StopToken& stop,
                                                  base::Deadline deadline) override {
    return inner_->search(options, stop, deadline);
  }
  base::Result<void> write(const git::TreePath& path, std::string_view content) override {
    return inner_->write(path, content);
  }
  base::Result<std::size_t> edit(const git::TreePath& path, std::string_view old_text,
                                 std::string_view new_text, bool replace_all) override {
    return inner_->edit(path, old_text, new_text, replace_all);
  }
  base::Result<void> remove(const git::TreePath& path) override { return inner_->remove(path); }
  base::Result<void> move(const git::TreePath& from, const git::TreePath& to) override {
    return inner_->move(from, to);
  }
  base::Result<void> set_executable(const git::TreePath& path, bool executable) override {
    return inner_->set_executable(path, executable);
  }
  base::Result<void> write_link(const git::TreePath& path, std::string_view target) override {
    return inner_->write_link(path, target);
  }
  [[nodiscard]] const git::BaseSnapshot& base() const override { return inner_->base(); }
  [[nodiscard]] base::Result<std::vector<git::TreeDifference>> status() override {
    return inner_->status();
  }
  base::Result<git::ObjectId> tree() override { return inner_->tree(); }
  [[nodiscard]] std::set<std::string> reads() const override { return inner_->reads(); }
  [[nodiscard]] git::ObjectStore& store() override { return inner_->store(); }

  base::Result<git::ObjectId> checkpoint(const base::StopToken& stop,
                                         base::Deadline deadline) override {
    const std::uint64_t began =
        commands_.with([](const Commands& commands) { return commands.begun; });
    CLEVER_ASSIGN(const git::ObjectId tree, inner_->checkpoint(stop, deadline));
    const bool has_all = commands_.with(
        [&](const Commands& commands) { return commands.running == 0 && commands.begun == began; });
    if (has_all && keeper_->record().dirty) {
      CLEVER_TRY(keeper_->change([&](WorkspaceRecord& record) {
        record.dirty = false;
        record.checkpoint = tree.to_hex();
      }));
    }
    return tree;
  }

  base::Result<void> restore(const git::ObjectId& tree) override { return inner_->restore(tree); }

  base::Result<Materialised> begin_command(const std::vector<std::string>& dependency_folders,
                                           bool overlay_available,
                                           const base::StopToken& stop) override {
    CLEVER_TRY(keeper_->change([](WorkspaceRecord& record) { record.dirty = true; }));
    commands_.with([](Commands& commands) {
      ++commands.begun;
      ++commands.running;
    });
    auto begun = inner_->begin_command(dependency_folders, overlay_available, stop);
    if (!begun.ok()) command_ended();
    return begun;
  }

  base::Result<std::vector<confine::Mount>> show_repository(const base::StopToken& stop) override {
    return inner_->show_repository(stop);
  }

  base::Result<Captured> end_command(const base::StopToken& stop) override {
    auto captured = inner_->end_command(stop);
    // Changes that could not be captured stay dirty: no checkpoint will have them.
    if (captured.ok()) command_ended();
    return captured;
  }

 private:
  struct Commands {
    std::uint64_t begun = 0;
    std::uint64_t running = 0;
  };
  void command_ended() {
    commands_.with([](Commands& commands) { --commands.running; });
  }

  const std::shared_ptr<Workspace> inner_;
  const std::shared_ptr<RecordKeeper> keeper_;
  base::Guarded<Commands> commands_;
};

}  // namespace

RecordKeeper::RecordKeeper(SandboxRecords& records, const WorkspaceRecord& record,
                           storage::Lease lease)
    : records_(records), lease_(std::move(lease)) {
  state_.update([&](State& state) { state.record = record; });
}

WorkspaceRecord RecordKeeper::record() const {
  return state_.read([](const State& state) { return state.record; });
}

WorkspaceRecord RecordKeeper::take_turn() {
  return state_
      .update_when(
          {}, base::Deadline::never(), [](const State& state) { return !state.is_changing; },
          [](State& state) {
            state.is_changing = true;
            return state.record;
          })
      .value();
}

void RecordKeeper::give_back(const WorkspaceRecord& record) {
  state_.update([&](State& state) {
    state.record = record;
    state.is_changing = false;
  });
}

base::Result<void> RecordKeeper::change(const std::function<void(WorkspaceRecord&)>& change) {
  const bool on_a_snapshot = base::planted("sandbox.commits_on_a_stale_snapshot");
  const WorkspaceRecord seen = on_a_snapshot ? record() : take_turn();
  WorkspaceRecord now = seen;
  change(now);
  CLEVER_CHECK(now.id == seen.id && now.plan == seen.plan && now.epoch == seen.epoch,
               "a workspace keeps its owner");
  if (now == seen || seen.state != WorkspaceState::kOpen) {
    give_back(seen);
    if (seen.state == WorkspaceState::kOpen) return {};
    return base::conflict("workspace " + seen.id.to_string() + " is " +
                          std::string(to_string(seen.state)) + " and changes no more");
  }
  const auto changed = records_.change(seen, now, lease_);
  now.version = seen.version + 1;
  give_back(changed.ok() ? now : seen);
  return changed;
}

base::Result<void> RecordKeeper::begin_removal() {
  const WorkspaceRecord seen = take_turn();
  const auto begun = records_.begin_removal(seen);
  WorkspaceRecord now = seen;
  now.state = WorkspaceState::kRemoving;
  now.version = seen.version + 1;
  give_back(begun.ok() ? now : seen);
  return begun;
}

std::shared_ptr<Workspace> tracked(std::shared_ptr<Workspace> inner,
                                   std::shared_ptr<RecordKeeper> keeper) {
  return std::make_shared<TrackedWorkspace>(std::move(inner), std::move(keeper));
}

}  // namespace clever::sandbox::internal
