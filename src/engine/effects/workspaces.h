#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/effect_runner.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "plan/state.h"
#include "sandbox/sandbox_manager.h"

namespace clever::engine {

/// The files that plans work on: one object store per tree of plans (the root's), one workspace per
/// plan and lease. Owned by the composition root. Thread-safe; opening blocks.
class Workspaces {
 public:
  explicit Workspaces(sandbox::SandboxManager& sandboxes) : sandboxes_(sandboxes) {}

  /// The objects of the plan's root, over those of its project.
  base::Result<std::shared_ptr<git::ObjectStore>> store(const plan::State& plan);

  /// The plan's workspace under this lease, at the tree of `plan`: made when it is first asked for,
  /// and made anew under a new lease, or after abandon(). One that is at another tree (an effect
  /// did not come to its end) is restored first.
  base::Result<std::shared_ptr<sandbox::Workspace>> open(const plan::State& plan,
                                                         const storage::Lease& lease);
  /// Somebody may still write to it: it is given to nobody any more.
  void abandon(const model::PlanId& plan);
  /// The plan is at rest: its sandbox is closed, and its folder removed.
  void close(const model::PlanId& plan);

  [[nodiscard]] static git::BaseSnapshot base_of(const plan::State& plan);

 private:
  struct Opened;
  sandbox::SandboxManager& sandboxes_;
};

/// What a plan made, for those who only look: its root's store, opened without a lease.
struct PlanFiles {
  git::Project project;
  std::shared_ptr<git::ObjectStore> store;
  git::ObjectId base;
  git::ObjectId tree;
};
/// `conflict` if the plan has no base yet.
[[nodiscard]] base::Result<PlanFiles> plan_files(sandbox::SandboxManager& sandboxes,
                                                 const plan::State& plan);

}  // namespace clever::engine
