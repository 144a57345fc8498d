#include "engine/effects/workspaces.h"

#include "base/atomic.h"
#include "engine/effects/internal/bounded_cache.h"
#include "git/ignore_rules.h"

namespace clever::engine {
namespace {

// A sandbox whose folder is removed when its last user releases it.
struct Opened {
  Opened(std::unique_ptr<sandbox::Sandbox> made, std::int64_t at_epoch, std::string on_base)
      : sandbox(std::move(made)), epoch(at_epoch), base(std::move(on_base)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    // A cleanup removes what cannot be removed here.
    if (!is_abandoned.load() && !sandbox->record().dirty) (void)sandbox->remove();
  }

  const std::unique_ptr<sandbox::Sandbox> sandbox;
  const std::int64_t epoch;
  const std::string base;
  // Publishes nothing but itself: an abandoned folder stays.
  base::Atomic<bool> is_abandoned{false};
};

// A copy of a sandbox whose files are dropped when its user releases it.
struct Copied {
  explicit Copied(std::unique_ptr<sandbox::Sandbox> made) : sandbox(std::move(made)) {}
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  // A cleanup removes what cannot be removed here.
  ~Copied() { (void)sandbox->remove(); }

  const std::unique_ptr<sandbox::Sandbox> sandbox;
};

std::vector<git::TreePath> paths_of(const std::vector<std::string>& texts) {
  std::vector<git::TreePath> paths;
  for (const std::string& text : texts) {
    auto path = git::TreePath::parse(text);
    if (path.ok()) paths.push_back(std::move(path).value());
  }
  return paths;
}

base::Result<git::ObjectId> tree_of(const plan::State& plan) {
  if (!plan.base || plan.tree.empty()) {
    return base::conflict("plan " + plan.id.to_string() + " has no files yet: it has not started");
  }
  return git::ObjectId::from_hex(plan.tree);
}

}  // namespace

class Workspaces::Impl {
 public:
  Impl(sandbox::SandboxManager& sandboxes, Options options)
      : sandboxes_(sandboxes),
        find_(std::move(options.find)),
        stores_(options.most_open),
        opened_(options.most_open) {}

  base::Result<std::shared_ptr<const FoundProject>> project(const std::string& folder) {
    if (find_) return find_(folder);
    CLEVER_ASSIGN(FoundProject found, find_project(folder));
    return std::make_shared<const FoundProject>(std::move(found));
  }

  base::Result<std::shared_ptr<git::ObjectStore>> store(const plan::State& plan) {
    const model::PlanId root = root_of(plan);
    return stores_.get(root, [&]() -> base::Result<std::shared_ptr<git::ObjectStore>> {
      CLEVER_ASSIGN(const auto known, project(plan.project));
      return sandboxes_.store(root, known->project);
    });
  }

  base::Result<std::shared_ptr<sandbox::Workspace>> open(const plan::State& plan,
                                                         const storage::Lease& lease) {
    CLEVER_ASSIGN(const git::ObjectId tree, tree_of(plan));
    while (true) {
      CLEVER_ASSIGN(const auto opened,
                    opened_.get(plan.id, [&] { return create(plan, lease, tree); }));
      if (opened->epoch == lease.epoch && opened->base == plan.base->tree) {
        CLEVER_ASSIGN(const bool usable, brought_to(*opened, tree));
        const auto& workspace = opened->sandbox->workspace();
        if (usable) return std::shared_ptr<sandbox::Workspace>(opened, workspace.get());
        opened->is_abandoned.store(true);
      }
      (void)opened_.take(plan.id, opened.get());
    }
  }

  base::Result<std::shared_ptr<sandbox::Workspace>> look(const plan::State& plan) {
    CLEVER_ASSIGN(const git::ObjectId tree, tree_of(plan));
    CLEVER_ASSIGN(const auto known, project(plan.project));
    CLEVER_ASSIGN(auto objects, store(plan));
    const std::filesystem::path nowhere = objects->folder() / "look";
    return sandbox::Workspace::open(
        {.store = std::move(objects),
         .base = std::make_shared<const git::BaseSnapshot>(base_of(plan)),
         .start = tree,
         .project_root = known->project.root,
         .project = std::shared_ptr<const git::Project>(known, &known->project),
         .folder = nowhere,
         .shared_folder = nowhere,
         .excludes = known->excludes,
         .secrets = known->project.secrets});
  }

  base::Result<std::shared_ptr<sandbox::Workspace>> copy(const plan::State& plan,
                                                         const storage::Lease& lease) {
    CLEVER_ASSIGN(const git::ObjectId tree, tree_of(plan));
    CLEVER_ASSIGN(auto sandbox, make(plan, lease, tree));
    const auto copied = std::make_shared<const Copied>(std::move(sandbox));
    return std::shared_ptr<sandbox::Workspace>(copied, copied->sandbox->workspace().get());
  }

  void abandon(const model::PlanId& plan) {
    if (const auto opened = opened_.take(plan)) opened->is_abandoned.store(true);
  }

  void close(const model::PlanId& plan) {
    (void)opened_.take(plan);
    (void)stores_.take(plan);
  }

 private:
  base::Result<std::shared_ptr<Opened>> create(const plan::State& plan, const storage::Lease& lease,
                                               const git::ObjectId& tree) {
    CLEVER_ASSIGN(auto made, make(plan, lease, tree));
    return std::make_shared<Opened>(std::move(made), lease.epoch, plan.base->tree);
  }

  base::Result<std::unique_ptr<sandbox::Sandbox>> make(const plan::State& plan,
                                                       const storage::Lease& lease,
                                                       const git::ObjectId& tree) {
    CLEVER_ASSIGN(const auto known, project(plan.project));
    CLEVER_ASSIGN(auto objects, store(plan));
    return sandboxes_.create({.plan = plan.id,
                              .lease = lease,
                              .project = known->project,
                              .store = std::move(objects),
                              .base = std::make_shared<const git::BaseSnapshot>(base_of(plan)),
                              .start = tree,
                              .excludes = known->excludes,
                              .root = root_of(plan)});
  }

  // Returns false if a command of an earlier effect still runs in the workspace.
  static base::Result<bool> brought_to(const Opened& opened, const git::ObjectId& tree) {
    sandbox::Workspace& workspace = *opened.sandbox->workspace();
    CLEVER_ASSIGN(const git::ObjectId now, workspace.tree());
    if (now == tree) return true;
    const auto restored = workspace.restore(tree);
    if (restored.ok()) return true;
    if (restored.error().code() == base::ErrorCode::kConflict) return false;
    return restored.error();
  }

  sandbox::SandboxManager& sandboxes_;
  const decltype(Options::find) find_;
  internal::BoundedCache<model::PlanId, git::ObjectStore> stores_;
  internal::BoundedCache<model::PlanId, Opened> opened_;
};

base::Result<FoundProject> find_project(const std::filesystem::path& folder,
                                        git::SecretRules secrets) {
  FoundProject found;
  CLEVER_ASSIGN(found.project, git::Project::find(folder, std::move(secrets)));
  CLEVER_ASSIGN(found.excludes, git::excludes_of(found.project));
  return found;
}

Workspaces::Workspaces(sandbox::SandboxManager& sandboxes) : Workspaces(sandboxes, Options{}) {}
Workspaces::Workspaces(sandbox::SandboxManager& sandboxes, Options options)
    : impl_(std::make_unique<Impl>(sandboxes, std::move(options))) {}
Workspaces::~Workspaces() = default;

base::Result<git::Project> Workspaces::project(const plan::State& plan) {
  CLEVER_ASSIGN(const auto known, impl_->project(plan.project));
  return known->project;
}

base::Result<std::shared_ptr<git::ObjectStore>> Workspaces::store(const plan::State& plan) {
  return impl_->store(plan);
}

base::Result<std::shared_ptr<sandbox::Workspace>> Workspaces::open(const plan::State& plan,
                                                                   const storage::Lease& lease) {
  return impl_->open(plan, lease);
}

base::Result<std::shared_ptr<sandbox::Workspace>> Workspaces::look(const plan::State& plan) {
  return impl_->look(plan);
}

base::Result<std::shared_ptr<sandbox::Workspace>> Workspaces::copy(const plan::State& plan,
                                                                   const storage::Lease& lease) {
  return impl_->copy(plan, lease);
}

void Workspaces::abandon(const model::PlanId& plan) { impl_->abandon(plan); }
void Workspaces::close(const model::PlanId& plan) { impl_->close(plan); }

git::BaseSnapshot Workspaces::base_of(const plan::State& plan) {
  git::BaseSnapshot snapshot;
  if (!plan.base) return snapshot;
  const model::BaseTaken& base = *plan.base;
  snapshot.tree = git::ObjectId::from_hex(base.tree).value_or(git::ObjectId());
  snapshot.head.branch = base.branch;
  if (auto commit = git::ObjectId::from_hex(base.commit); commit.ok()) {
    snapshot.head.commit = *commit;
  }
  for (const model::ProjectHead& head : base.projects) {
    snapshot.heads.push_back({.branch = head.branch});
    if (auto commit = git::ObjectId::from_hex(head.commit); commit.ok()) {
      snapshot.heads.back().commit = *commit;
    }
  }
  snapshot.uncommitted = paths_of(base.uncommitted);
  snapshot.submodules = paths_of(base.submodules);
  snapshot.filtered = paths_of(base.filtered);
  snapshot.hidden = paths_of(base.hidden);
  snapshot.remarks = base.remarks;
  return snapshot;
}

model::PlanId root_of(const plan::State& plan) {
  const auto& ancestors = plan.settings.ancestors;
  return ancestors.empty() ? plan.id : ancestors.front();
}

base::Result<PlanFiles> plan_files(sandbox::SandboxManager& sandboxes, const plan::State& plan) {
  CLEVER_TRY(tree_of(plan));
  CLEVER_ASSIGN(git::Project project,
                git::Project::find(plan.project, {.own_home = sandboxes.home()}));
  return plan_files(sandboxes, std::move(project), plan);
}

base::Result<PlanFiles> plan_files(sandbox::SandboxManager& sandboxes, git::Project project,
                                   const plan::State& plan) {
  CLEVER_ASSIGN(const git::ObjectId tree, tree_of(plan));
  CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(plan.base->tree));
  CLEVER_ASSIGN(auto store, sandboxes.store(root_of(plan), project));
  return PlanFiles{std::move(project), std::move(store), base, tree};
}

}  // namespace clever::engine
