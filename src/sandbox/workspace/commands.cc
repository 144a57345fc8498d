#include <utility>

#include "sandbox/workspace/internal/overlay_workspace.h"

namespace clever::sandbox::internal {

//            begin_command           end_command          restore
//   kNone    → kBusy → kRunning      conflict             → kBusy → kNone
//   kBusy    conflict                conflict             conflict
//   kRunning conflict                → kBusy → kNone,     conflict
//                                      kLost if it fails
//   kLost    conflict                → kBusy → as above   → kBusy → kNone
bool OverlayWorkspace::claim(CommandState from, CommandState to) {
  return command_.with([&](CommandState& state) {
    if (state != from) return false;
    state = to;
    return true;
  });
}

void OverlayWorkspace::settle(CommandState state) {
  command_.with([&](CommandState& now) { now = state; });
}

base::Result<Workspace::Materialised> OverlayWorkspace::begin_command(
    const std::vector<std::string>& dependency_folders, bool overlay_available,
    const base::StopToken& stop) {
  if (!claim(CommandState::kNone, CommandState::kBusy)) {
    return base::conflict("another command runs in this workspace, or has not been ended");
  }
  auto now = tree();
  auto shown = now.ok() ? materialiser_.show(*now, dependency_folders, overlay_available, stop)
                        : base::Result<Materialised>(now.error());
  settle(shown.ok() ? CommandState::kRunning : CommandState::kNone);
  return shown;
}

base::Result<std::vector<confine::Mount>> OverlayWorkspace::show_repository(
    const base::StopToken& stop) {
  if (!claim(CommandState::kRunning, CommandState::kBusy)) {
    return base::conflict("no command was begun in this workspace");
  }
  auto mounts = materialiser_.show_repository(stop);
  settle(CommandState::kRunning);
  return mounts;
}

base::Result<Workspace::Captured> OverlayWorkspace::end_command(const base::StopToken& stop) {
  if (!claim(CommandState::kRunning, CommandState::kBusy) &&
      !claim(CommandState::kLost, CommandState::kBusy)) {
    return base::conflict("no command was begun in this workspace");
  }
  auto captured = take_over(stop);
  settle(captured.ok() ? CommandState::kNone : CommandState::kLost);
  return captured;
}

base::Result<Workspace::Captured> OverlayWorkspace::take_over(const base::StopToken& stop) {
  CLEVER_ASSIGN(DiskChanges found, materialiser_.changes(stop));
  Captured captured{.changes = {}, .skipped = found.skipped};
  if (!found.changes.empty()) {
    CLEVER_ASSIGN(captured.changes, apply(found.changes, stop));
  }
  CLEVER_TRY(materialiser_.accept(std::move(found)));
  captured.commits = materialiser_.commits();
  return captured;
}

// Keeps what tools wrote while the command ran, except at paths that the command changed.
base::Result<std::vector<git::TreeDifference>> OverlayWorkspace::apply(
    const std::vector<git::TreeChange>& changes, const base::StopToken& stop) {
  const auto turn = turn_.take();
  CLEVER_ASSIGN(const git::ObjectId before, tree());
  Layers layers{.tree = before};
  if (before == materialiser_.shown()) {
    // Nothing was written meanwhile, so the changes fit as a whole. One by one, each would cost as
    // much as its folder has names.
    CLEVER_ASSIGN(layers.tree, git::edit_tree(*options_.store, before, changes));
  } else {
    CLEVER_TRY(force_all(*options_.store, layers, changes, stop));
  }
  CLEVER_ASSIGN(auto differences, git::compare(*options_.store, before, layers.tree, stop));
  publish(std::move(layers));
  return differences;
}

}  // namespace clever::sandbox::internal
