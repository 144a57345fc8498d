#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded.h"
#include "sandbox/workspace.h"
#include "sandbox/workspace/internal/layers.h"
#include "sandbox/workspace/internal/links.h"
#include "sandbox/workspace/internal/materialiser.h"
#include "sandbox/workspace/internal/read_set.h"
#include "sandbox/workspace/internal/write_turn.h"

namespace clever::sandbox::internal {

[[nodiscard]] base::Error hidden_file(const git::TreePath& path);

/// The Workspace. Its state is one pointer to immutable Layers: a read copies the pointer and works
/// on its target, without a lock. A write holds the WriteTurn, reads, stores objects, and publishes
/// new Layers. Folding keeps the same files, so a reader may publish that too, if nothing else was
/// published since.
class OverlayWorkspace final : public Workspace {
 public:
  explicit OverlayWorkspace(WorkspaceOptions options);

  base::Result<git::TreePath> resolve(std::string_view text) const override;
  base::Result<FileContent> read(const git::TreePath& path) override;
  base::Result<Listing> list(std::string_view glob, std::size_t limit,
                             const base::StopToken& stop) override;
  base::Result<SearchResult> search(const SearchOptions& options, const base::StopToken& stop,
                                    base::Deadline deadline) override;

  base::Result<void> write(const git::TreePath& path, std::string_view content) override;
  base::Result<std::size_t> edit(const git::TreePath& path, std::string_view old_text,
                                 std::string_view new_text, bool replace_all) override;
  base::Result<void> remove(const git::TreePath& path) override;
  base::Result<void> move(const git::TreePath& from, const git::TreePath& to) override;
  base::Result<void> set_executable(const git::TreePath& path, bool executable) override;
  base::Result<void> write_link(const git::TreePath& path, std::string_view target) override;

  const git::BaseSnapshot& base() const override { return *options_.base; }
  base::Result<std::vector<git::TreeDifference>> status() override;
  base::Result<git::ObjectId> tree() override;
  base::Result<git::ObjectId> checkpoint(const base::StopToken& stop,
                                         base::Deadline deadline) override;
  base::Result<void> restore(const git::ObjectId& tree) override;
  std::set<std::string> reads() const override { return reads_.all(); }
  git::ObjectStore& store() override { return *options_.store; }

  base::Result<Materialised> begin_command(const std::vector<std::string>& dependency_folders,
                                           bool overlay_available,
                                           const base::StopToken& stop) override;
  base::Result<std::vector<confine::Mount>> show_repository(const base::StopToken& stop) override;
  base::Result<Captured> end_command(const base::StopToken& stop) override;

 private:
  using Shared = std::shared_ptr<const Layers>;
  enum class CommandState : std::uint8_t { kNone, kBusy, kRunning, kLost };

  Shared current() const;
  void publish(Layers layers);

  base::Result<Place> place_to_read(const Layers& layers, const git::TreePath& path);
  base::Result<FileContent> content_of(const Place& place, const git::TreePath& asked);
  base::Result<Place> place_to_write(const Layers& layers, const git::TreePath& path,
                                     LastLink last) const;
  base::Result<void> check_in_project(const git::TreePath& path) const;
  base::Result<void> check_writable(const git::TreePath& path) const;
  [[nodiscard]] bool is_hidden(const git::TreePath& path) const;
  base::Result<void> put(const git::TreePath& path, const git::Node& node);
  base::Result<void> check_size(std::size_t size) const;
  base::Result<void> move_files(Layers& layers, const git::TreePath& from, const git::TreePath& to);
  base::Error missing(const Layers& layers, const git::TreePath& path);

  bool claim(CommandState from, CommandState to);
  void settle(CommandState state);
  base::Result<Captured> take_over(const base::StopToken& stop);
  base::Result<std::vector<git::TreeDifference>> apply(const std::vector<git::TreeChange>& changes,
                                                       const base::StopToken& stop);

  // Constant after construction.
  const WorkspaceOptions options_;

  // Shared.
  base::Guarded<Shared> layers_;
  WriteTurn turn_;
  ReadSet reads_;
  // Who may use the materialiser: the caller that moved it from kNone or kRunning to kBusy.
  base::Guarded<CommandState> command_;

  // Owned by the caller that set command_ to kBusy.
  Materialiser materialiser_;
};

}  // namespace clever::sandbox::internal
