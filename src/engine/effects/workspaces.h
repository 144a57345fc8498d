#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
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

/// A plan's project, and what workspaces on it need to know. A value.
struct FoundProject {
  git::Project project{};
  /// Its ignore rules that are in no file of the tree.
  std::string excludes{};
};
[[nodiscard]] base::Result<FoundProject> find_project(const std::filesystem::path& folder,
                                                      git::SecretRules secrets = {});

/// The files that plans work on: one object store per tree of plans (the root's), one workspace per
/// plan and lease. Owned by the composition root.
///
/// Thread-safe; opening blocks. Unused stores and workspaces are kept for the next request, at most
/// `most_open` of each: the least recently used are closed, and opened again when needed. A closed
/// workspace loses only ignored files: what counts is in a tree that the plan's journal names.
class Workspaces {
 public:
  struct Options {
    std::size_t most_open = 128;
    /// The project in a folder; empty: looked up each time.
    std::function<base::Result<std::shared_ptr<const FoundProject>>(const std::string& folder)>
        find{};
  };

  explicit Workspaces(sandbox::SandboxManager& sandboxes);
  Workspaces(sandbox::SandboxManager& sandboxes, Options options);
  ~Workspaces();

  /// The plan's project.
  base::Result<git::Project> project(const plan::State& plan);
  /// The objects of the plan's root, over those of its project.
  base::Result<std::shared_ptr<git::ObjectStore>> store(const plan::State& plan);

  /// The plan's workspace under this lease, at the tree of `plan`: made when it is first asked for,
  /// and made anew under a new lease, or after abandon(). One that is at another tree (an effect
  /// did not come to its end) is restored first. `conflict` if the plan has no base yet.
  base::Result<std::shared_ptr<sandbox::Workspace>> open(const plan::State& plan,
                                                         const storage::Lease& lease);
  /// The files at the tree of `plan`, for reading: without a lease, a record or a folder. No other
  /// caller sees what is written to it.
  base::Result<std::shared_ptr<sandbox::Workspace>> look(const plan::State& plan);

  /// Another workspace at the tree of `plan`, with a folder of its own, for work that must not
  /// change the plan's. No other caller sees its changes, which end with it.
  base::Result<std::shared_ptr<sandbox::Workspace>> copy(const plan::State& plan,
                                                         const storage::Lease& lease);

  /// A process may still write to the plan's workspace: it is not used again, and its folder stays
  /// until a cleanup.
  void abandon(const model::PlanId& plan);
  /// The plan is at rest: closes its sandbox, and removes its folder once it is unused.
  void close(const model::PlanId& plan);

  /// What the plan began with, as its journal tells. The tree of HEAD is not part of that.
  [[nodiscard]] static git::BaseSnapshot base_of(const plan::State& plan);

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

/// The plan at the top of the tree: itself, if it is no subplan.
[[nodiscard]] model::PlanId root_of(const plan::State& plan);

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
/// The same of a plan whose project is known.
[[nodiscard]] base::Result<PlanFiles> plan_files(sandbox::SandboxManager& sandboxes,
                                                 git::Project project, const plan::State& plan);

}  // namespace clever::engine
