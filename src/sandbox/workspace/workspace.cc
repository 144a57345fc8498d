#include "sandbox/workspace.h"

#include <algorithm>
#include <utility>

#include "sandbox/workspace/internal/overlay_workspace.h"

namespace clever::sandbox {

base::Result<std::shared_ptr<Workspace>> Workspace::open(WorkspaceOptions options) {
  if (!options.store || !options.base) {
    return base::invalid_argument("a workspace needs an object store and a base");
  }
  const git::ObjectId tree = options.start.value_or(options.base->tree);
  CLEVER_ASSIGN(const auto header, options.store->header(tree));
  if (header.kind != git::ObjectKind::kTree) {
    return base::invalid_argument("a workspace starts from a tree; " + tree.to_hex() + " is a " +
                                  std::string(to_string(header.kind)));
  }
  return std::shared_ptr<Workspace>(
      std::make_shared<internal::OverlayWorkspace>(std::move(options)));
}

namespace internal {

OverlayWorkspace::OverlayWorkspace(WorkspaceOptions options)
    : options_(std::move(options)), materialiser_(options_) {
  publish({.tree = options_.start.value_or(options_.base->tree)});
}

base::Error hidden_file(const git::TreePath& path) {
  return base::permission_denied(git::printable(path.text()) +
                                 " is not part of the workspace: such files usually hold secrets. "
                                 "To show it, a person adds its "
                                 "name to the setting sandbox.include");
}

bool OverlayWorkspace::is_hidden(const git::TreePath& path) const {
  return options_.secrets.secrecy(path.text()) == git::Secrecy::kSecret ||
         std::ranges::binary_search(options_.base->hidden, path);
}

OverlayWorkspace::Shared OverlayWorkspace::current() const {
  return layers_.with([](const Shared& layers) { return layers; });
}

void OverlayWorkspace::publish(Layers layers) {
  auto shared = std::make_shared<const Layers>(std::move(layers));
  layers_.with([&](Shared& now) { now.swap(shared); });
}

base::Result<git::TreePath> OverlayWorkspace::resolve(std::string_view text) const {
  return git::TreePath::parse(text, options_.project_root.string());
}

base::Result<git::ObjectId> OverlayWorkspace::tree() {
  const Shared now = current();
  if (now->changes.empty()) return now->tree;
  CLEVER_ASSIGN(Layers layers, folded(*options_.store, *now));
  const git::ObjectId tree = layers.tree;
  Shared next = std::make_shared<const Layers>(std::move(layers));
  layers_.with([&](Shared& published) {
    if (published == now) published.swap(next);
  });
  return tree;
}

base::Result<git::ObjectId> OverlayWorkspace::checkpoint(const base::StopToken& stop,
                                                         base::Deadline deadline) {
  CLEVER_ASSIGN(const git::ObjectId now, tree());
  CLEVER_TRY(options_.store->sync(stop, deadline));
  return now;
}

base::Result<std::vector<git::TreeDifference>> OverlayWorkspace::status() {
  CLEVER_ASSIGN(const git::ObjectId now, tree());
  return git::compare(*options_.store, options_.base->tree, now);
}

base::Result<void> OverlayWorkspace::restore(const git::ObjectId& tree) {
  CLEVER_TRY(options_.store->tree(tree).context("restoring the workspace"));
  if (!claim(CommandState::kNone, CommandState::kBusy) &&
      !claim(CommandState::kLost, CommandState::kBusy)) {
    return base::conflict(
        "a command runs in this workspace; restore it when the command has ended");
  }
  const auto turn = turn_.take();
  auto dropped = materialiser_.drop();
  if (dropped.ok()) publish({.tree = tree});
  settle(CommandState::kNone);
  return dropped;
}

}  // namespace internal
}  // namespace clever::sandbox
