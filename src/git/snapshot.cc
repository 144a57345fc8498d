#include "git/snapshot.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/nearest.h"
#include "git/git_command.h"
#include "git/internal/candidates.h"
#include "git/internal/filters.h"
#include "git/internal/hidden_files.h"
#include "git/internal/in_quotes.h"
#include "git/internal/index_file.h"
#include "git/internal/lines.h"
#include "git/internal/loose_objects.h"
#include "git/internal/private_index.h"
#include "git/internal/remarks.h"
#include "git/internal/shared_rounds.h"
#include "git/internal/status_list.h"
#include "git/project_group.h"
#include "git/tree.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::git {
namespace {

using internal::Candidates;
using internal::HiddenFiles;
using internal::IndexedPath;
using internal::PrivateIndex;
using internal::StatusEntry;
using internal::StatusList;
using Which = PrivateIndex::Which;

constexpr std::size_t kSnapshotOutputLimit = std::size_t{1} << 30U;

base::Result<void> check_operation(const Project& project, internal::Remarks& remarks) {
  CLEVER_ASSIGN(const Operation operation, operation_in_progress(project));
  if (operation == Operation::kNone) return {};
  const std::string name(to_string(operation));
  if (operation == Operation::kBisect) {
    remarks.add("a bisect is in progress: the work starts from the commit that is checked out");
    return {};
  }
  return base::conflict("a " + name + " is in progress: finish it (git " + name +
                        " --continue) or abort it (git " + name + " --abort) first");
}

base::Result<void> check_merged(const std::vector<StatusEntry>& entries) {
  std::string names;
  for (const StatusEntry& entry : entries) {
    if (entry.unmerged) names += (names.empty() ? "" : ", ") + internal::in_quotes(entry.path);
  }
  if (names.empty()) return {};
  return base::conflict("there are unmerged paths: " + names +
                        ": resolve them and git add them first");
}

// Whether `git replace` may make git read another object than the named one.
bool may_replace_objects(const Project& project) {
  constexpr std::size_t kLargest = std::size_t{1} << 20U;
  const auto is_there = [&](std::string_view name) {
    return io::file_kind(project.common_folder / name) != io::FileKind::kMissing;
  };
  if (is_there("refs/replace") || is_there("reftable")) return true;
  if (!is_there("packed-refs")) return false;
  const auto packed = io::read_file(project.common_folder / "packed-refs", kLargest);
  return !packed.ok() || packed->contains(" refs/replace/");
}

std::optional<ObjectId> tree_of(std::string_view commit) {
  constexpr std::string_view kTree = "tree ";
  if (!commit.starts_with(kTree)) return std::nullopt;
  const auto id = ObjectId::from_hex(commit.substr(kTree.size(), 2 * ObjectId::kSize));
  return id.ok() ? std::optional(*id) : std::nullopt;
}

// What git reports about a working tree at one moment.
struct Look {
  StatusList status{};
  std::vector<std::string> warnings{};
  std::vector<IndexedPath> indexed{};
};
using Looks = internal::SharedRounds<std::filesystem::path, Look>;

// Reads the working tree into a private index, and its contents into the store.
class WorkingTree {
 public:
  WorkingTree(Looks& looks, const Project& project, ObjectStore& store, const base::StopToken& stop,
              base::Deadline deadline)
      : looks_(looks),
        project_(project),
        store_(store),
        stop_(stop),
        deadline_(deadline),
        hidden_(project.secrets, store) {}

  base::Result<BaseSnapshot> snapshot() {
    CLEVER_TRY(check_operation(project_, remarks_));
    CLEVER_ASSIGN(const auto look,
                  looks_.get(project_.root, stop_, deadline_, [this] { return look_anew(); }));
    for (const std::string& warning : look->warnings) remarks_.add(warning);
    CLEVER_TRY(check_merged(look->status.entries));
    CLEVER_ASSIGN(result_.head, head_of(look->status));
    if (look->status.commit != result_.head.commit) {
      return base::unavailable("the branch moved while the working tree was read: try again");
    }
    CLEVER_ASSIGN(const auto root, io::Directory::open(project_.root));
    CLEVER_ASSIGN(
        const Candidates candidates,
        internal::sort_out(hidden_.without_hidden(look->status.entries, root), root, remarks_));
    CLEVER_TRY(hidden_.add_tracked(look->indexed, stop_));
    CLEVER_TRY(read_files(candidates.to_read));
    for (const StatusEntry& entry : candidates.known) add_change(entry, entry.staged);
    CLEVER_TRY(add_repositories(candidates.repositories));
    CLEVER_TRY(make_tree());
    CLEVER_TRY(find_read_only(look->indexed, root, candidates.to_read));
    remark_on_project();
    CLEVER_TRY(store_.sync(stop_, deadline_));
    result_.remarks = std::move(remarks_).take();
    return std::move(result_);
  }

 private:
  [[nodiscard]] GitCommandOptions options() const {
    return {.output_limit = kSnapshotOutputLimit, .stop = stop_, .deadline = deadline_};
  }

  // Created on demand: a caller that gets another's result often needs none.
  base::Result<const PrivateIndex*> index() {
    if (!index_) {
      CLEVER_ASSIGN(auto made, PrivateIndex::make(project_, store_.folder()));
      index_.emplace(std::move(made));
    }
    return &*index_;
  }

  base::Result<std::shared_ptr<const Look>> look_anew() {
    Look look;
    CLEVER_ASSIGN(look.status, ask_status(look.warnings));
    CLEVER_ASSIGN(look.indexed, indexed_paths());
    return std::make_shared<const Look>(std::move(look));
  }

  base::Result<StatusList> ask_status(std::vector<std::string>& warnings) {
    CLEVER_ASSIGN(const PrivateIndex* copy, index());
    CLEVER_ASSIGN(const auto result,
                  copy->run(Which::kCopy,
                            {"status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind",
                             "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"},
                            options()));
    if (!result.succeeded() || result.truncated) {
      CLEVER_TRY(head_state(project_));
      return base::corruption("git status failed: " + git_complaint(result));
    }
    for (const std::string_view line : internal::lines_of(result.error_output)) {
      if (line.starts_with("warning: could not open"))
        warnings.push_back(printable(line.substr(9)));
    }
    return internal::parse_status(result.output);
  }

  // The HEAD that git compared with; asks again only if the status does not say it.
  base::Result<HeadState> head_of(const StatusList& status) {
    if (!status.commit || !status.branch || may_replace_objects(project_)) {
      return head_state(project_);
    }
    const auto commit =
        store_.read(*status.commit, ObjectKind::kCommit, ObjectStore::kDefaultLimit);
    const auto tree = commit.ok() ? tree_of(*commit) : std::nullopt;
    if (!tree) return head_state(project_);
    return HeadState{.branch = *status.branch, .commit = status.commit, .tree = *tree};
  }

  // Reads the files into the index of changes, and keeps the objects that this creates.
  base::Result<void> read_files(const std::vector<StatusEntry>& files) {
    if (files.empty()) return {};
    CLEVER_ASSIGN(const PrivateIndex* changes, index());
    CLEVER_TRY(prepare(*changes, files));
    GitCommandOptions reading = options();
    for (const StatusEntry& file : files) reading.standard_input += file.path + '\0';
    CLEVER_TRY(changes->output(Which::kChanges,
                               {"update-index", "--add", "--remove", "--replace", "-z", "--stdin"},
                               std::move(reading)));
    CLEVER_TRY(internal::adopt_objects(changes->objects(), store_.folder() / "objects"));
    CLEVER_ASSIGN(const std::string output,
                  changes->output(Which::kChanges, {"ls-files", "--stage", "-z"}, options()));
    CLEVER_ASSIGN(const auto entries, internal::parse_stage_list(output));
    std::unordered_map<std::string_view, Node> nodes;
    for (const auto& entry : entries) nodes.emplace(entry.path, entry.node);
    for (const StatusEntry& file : files) {
      const auto node = nodes.find(file.path);
      add_change(file, node == nodes.end() ? std::nullopt : std::optional(node->second));
    }
    return {};
  }

  // The user's index decides about modes and line ends, so it must be current.
  base::Result<void> prepare(const PrivateIndex& index, const std::vector<StatusEntry>& files) {
    GitCommandOptions staging = options();
    for (const StatusEntry& file : files) {
      if (!file.staged) continue;
      staging.standard_input +=
          to_string(file.staged->mode) + ' ' + file.staged->id.to_hex() + " 0\t" + file.path + '\0';
      CLEVER_TRY(lend(index, file.staged->id));
    }
    if (staging.standard_input.empty()) return {};
    CLEVER_TRY(index.output(Which::kChanges, {"update-index", "--add", "-z", "--index-info"},
                            std::move(staging)));
    return {};
  }

  base::Result<void> lend(const PrivateIndex& index, const ObjectId& id) {
    const auto content = store_.blob(id);
    // Too large for line ends to matter, or not a blob: git manages without it.
    if (!content.ok()) return {};
    return internal::write_loose_object(index.objects(), id, ObjectKind::kBlob, *content);
  }

  void add_change(const StatusEntry& entry, const std::optional<Node>& node) {
    if (node == entry.committed) return;
    changes_.push_back({.path = TreePath::parse(entry.path).value(), .to = node});
  }

  base::Result<void> add_repositories(const std::vector<std::string>& repositories) {
    for (const std::string& name : repositories) {
      CLEVER_ASSIGN(
          const auto head,
          run_git(project_.root / name, {"rev-parse", "--quiet", "--verify", "HEAD"}, options()));
      auto path = TreePath::parse(name);
      const auto id = ObjectId::from_hex(head.output.substr(0, head.output.find('\n')));
      if (!path.ok() || !head.succeeded() || !id.ok()) {
        remarks_.add(internal::in_quotes(name) +
                     " is left out: it is a repository of its own without a commit");
        continue;
      }
      remarks_.add(internal::in_quotes(name) +
                   " is a repository of its own: it is taken as a submodule, and its "
                   "files are not seen");
      result_.submodules.push_back(*path);
      changes_.push_back({*std::move(path), Node{.mode = FileMode::kSubmodule, .id = *id}});
    }
    return {};
  }

  base::Result<void> make_tree() {
    for (const TreeChange& change : changes_) result_.uncommitted.push_back(change.path);
    std::ranges::sort(result_.uncommitted);
    result_.hidden = hidden_.paths();
    CLEVER_ASSIGN(auto removals, hidden_.removals(result_.head.tree));
    std::ranges::move(removals, std::back_inserter(changes_));
    CLEVER_ASSIGN(result_.tree, edit_tree(store_, result_.head.tree, std::move(changes_)));
    return {};
  }

  base::Result<void> find_read_only(const std::vector<IndexedPath>& indexed,
                                    const io::Directory& root,
                                    const std::vector<StatusEntry>& changed) {
    std::vector<std::string_view> paths;
    paths.reserve(indexed.size());
    for (const IndexedPath& entry : indexed) {
      paths.emplace_back(entry.path);
      if (entry.node.mode == FileMode::kSubmodule) add_submodule(entry.path);
    }
    for (const StatusEntry& entry : changed) {
      if (entry.untracked) paths.emplace_back(entry.path);
    }
    std::ranges::sort(result_.submodules);
    const auto content_of = [&](std::string_view path) {
      return root.read_file(path, ObjectStore::kDefaultLimit);
    };
    if (!internal::any_filter(project_, paths, content_of)) return {};
    CLEVER_ASSIGN(const PrivateIndex* copy, index());
    CLEVER_ASSIGN(
        result_.filtered,
        internal::filtered_paths(*copy, paths, internal::Attributes::kOfWorkingTree, options()));
    return {};
  }

  base::Result<std::vector<IndexedPath>> indexed_paths() {
    CLEVER_ASSIGN(const PrivateIndex* copy, index());
    if (!project_.sparse) {
      if (auto known = internal::read_index_file(copy->file())) return *std::move(known);
    }
    std::vector<std::string> listing = {"ls-files", "--stage", "-z"};
    if (project_.sparse) listing.emplace_back("--sparse");
    CLEVER_ASSIGN(const std::string output,
                  copy->output(Which::kCopy, std::move(listing), options()));
    CLEVER_ASSIGN(const auto entries, internal::parse_stage_list(output));
    std::vector<IndexedPath> paths;
    paths.reserve(entries.size());
    for (const auto& entry : entries) paths.push_back({std::string(entry.path), entry.node});
    return paths;
  }

  void add_submodule(std::string_view text) {
    if (auto path = TreePath::parse(text); path.ok()) {
      result_.submodules.push_back(*std::move(path));
    }
  }

  void remark_on_project() {
    if (const std::string remark = hidden_.remark(); !remark.empty()) remarks_.add(remark);
    if (project_.sparse) {
      remarks_.add("the checkout is sparse: files outside it are taken as they were committed");
    }
    if (project_.shallow) remarks_.add("the clone is shallow: its history ends early");
    if (!result_.filtered.empty()) {
      remarks_.add(std::to_string(result_.filtered.size()) +
                   " files are under an external filter (such as Git LFS): they are read-only");
    }
  }

  Looks& looks_;
  const Project& project_;
  ObjectStore& store_;
  const base::StopToken& stop_;
  const base::Deadline deadline_;
  HiddenFiles hidden_;
  std::optional<PrivateIndex> index_{};
  internal::Remarks remarks_;
  std::vector<TreeChange> changes_;
  BaseSnapshot result_{};
};

// ---- a commit
// ------------------------------------------------------------------------------------

base::Error no_such_reference(const Project& project, std::string_view reference,
                              const GitCommandOptions& options) {
  std::string message = "there is no commit " + internal::in_quotes(reference);
  const auto names =
      git_output(project.root, {"for-each-ref", "--format=%(refname:short)"}, options);
  if (!names.ok()) return base::not_found(message);
  std::vector<std::string> candidates;
  for (const std::string_view line : internal::lines_of(*names)) candidates.emplace_back(line);
  if (const auto nearest = base::nearest_match(reference, candidates)) {
    message += "; did you mean " + internal::in_quotes(*nearest) + "?";
  } else {
    constexpr std::size_t kShown = 5;
    std::string list;
    for (std::size_t i = 0; i < std::min(kShown, candidates.size()); ++i) {
      list += (i == 0 ? "" : ", ") + printable(candidates[i]);
    }
    message += list.empty() ? "; the repository has none" : "; there are " + list;
  }
  return base::not_found(message);
}

base::Result<ObjectId> commit_of(const Project& project, std::string_view reference,
                                 const GitCommandOptions& options) {
  if (reference.empty() || reference.contains('\0') || reference.contains('\n')) {
    return base::invalid_argument(internal::in_quotes(reference) + " does not name a commit");
  }
  CLEVER_ASSIGN(const auto result, run_git(project.root,
                                           {"rev-parse", "--quiet", "--verify", "--end-of-options",
                                            std::string(reference) + "^{commit}"},
                                           options));
  const auto id = ObjectId::from_hex(result.output.substr(0, result.output.find('\n')));
  if (!result.succeeded() || !id.ok()) return no_such_reference(project, reference, options);
  return *id;
}

base::Result<void> hide_secrets(const Project& project, ObjectStore& store,
                                const base::StopToken& stop, BaseSnapshot& snapshot) {
  HiddenFiles hidden(project.secrets, store);
  CLEVER_TRY(hidden.add_tree(snapshot.tree, "", stop));
  CLEVER_ASSIGN(auto removals, hidden.removals(snapshot.tree));
  CLEVER_ASSIGN(snapshot.tree, edit_tree(store, snapshot.tree, std::move(removals)));
  snapshot.hidden = hidden.paths();
  if (std::string remark = hidden.remark(); !remark.empty()) {
    snapshot.remarks.push_back(std::move(remark));
  }
  return store.sync(stop);
}

// Finds submodules, and files under a filter by the tree's own attributes.
base::Result<void> find_read_only(const Project& project, ObjectStore& store,
                                  const GitCommandOptions& options, BaseSnapshot& snapshot) {
  std::vector<std::string> paths;
  CLEVER_TRY(walk(
      store, snapshot.tree, std::nullopt,
      [&](const std::string& path, const Node& node) {
        paths.push_back(path);
        if (node.mode != FileMode::kSubmodule) return true;
        if (auto parsed = TreePath::parse(path); parsed.ok()) {
          snapshot.submodules.push_back(*std::move(parsed));
        }
        return true;
      },
      options.stop));
  const auto content_of = [&](std::string_view path) -> base::Result<std::string> {
    CLEVER_ASSIGN(const TreePath parsed, TreePath::parse(path));
    CLEVER_ASSIGN(const auto node, find(store, snapshot.tree, parsed));
    return store.blob(node ? node->id : ObjectId());
  };
  const std::vector<std::string_view> views(paths.begin(), paths.end());
  if (!internal::any_filter(project, views, content_of)) return {};
  CLEVER_ASSIGN(const PrivateIndex index, PrivateIndex::make(project, store.folder()));
  CLEVER_TRY(index.output(
      Which::kCopy, {"-c", "index.sparse=false", "read-tree", snapshot.tree.to_hex()}, options));
  CLEVER_ASSIGN(snapshot.filtered,
                internal::filtered_paths(index, views, internal::Attributes::kOfIndex, options));
  return {};
}

}  // namespace

struct WorkingTrees::Shared {
  Looks looks;
};

WorkingTrees::WorkingTrees() : shared_(std::make_unique<Shared>()) {}
WorkingTrees::~WorkingTrees() = default;

base::Result<BaseSnapshot> WorkingTrees::snapshot(const Project& project, ObjectStore& store,
                                                  const base::StopToken& stop,
                                                  base::Deadline deadline) {
  if (!project.members.empty()) {
    return joined_snapshot(
        project, store,
        [&](const Project& member) { return snapshot(member, store, stop, deadline); }, stop,
        deadline);
  }
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    auto snapshot = WorkingTree(shared_->looks, project, store, stop, deadline).snapshot();
    const bool moved = !snapshot.ok() && snapshot.error().code() == base::ErrorCode::kUnavailable;
    if (moved && attempt < kAttempts) continue;
    return std::move(snapshot).context("taking a snapshot of " + printable(project.root.string()));
  }
}

base::Result<BaseSnapshot> snapshot_working_tree(const Project& project, ObjectStore& store,
                                                 const base::StopToken& stop,
                                                 base::Deadline deadline) {
  return WorkingTrees().snapshot(project, store, stop, deadline);
}

base::Result<ObjectId> find_commit(const Project& project, std::string_view reference,
                                   const base::StopToken& stop) {
  for (const Project& member : project.members) {
    auto commit = find_commit(member, reference, stop).context(member.name);
    if (!commit.ok() || &member == &project.members.back()) return commit;
  }
  if (project.kind != ProjectKind::kRepository) {
    return base::invalid_argument(project.root.string() +
                                  " is not a repository, so it has no commits");
  }
  return commit_of(project, reference, {.stop = stop});
}

base::Result<BaseSnapshot> snapshot_reference(const Project& project, ObjectStore& store,
                                              std::string_view reference,
                                              const base::StopToken& stop,
                                              base::Deadline deadline) {
  if (!project.members.empty()) {
    return joined_snapshot(
        project, store,
        [&](const Project& member) {
          return snapshot_reference(member, store, reference, stop, deadline);
        },
        stop, deadline);
  }
  if (project.kind == ProjectKind::kFolder) {
    return base::invalid_argument(internal::in_quotes(project.root.string()) +
                                  " is not a repository, so it has no commits to start from");
  }
  const GitCommandOptions options{
      .output_limit = kSnapshotOutputLimit, .stop = stop, .deadline = deadline};
  CLEVER_ASSIGN(const ObjectId commit, commit_of(project, reference, options));
  CLEVER_ASSIGN(
      const std::string tree,
      git_output(project.root, {"rev-parse", "--verify", commit.to_hex() + "^{tree}"}, options));
  BaseSnapshot snapshot;
  CLEVER_ASSIGN(snapshot.tree, ObjectId::from_hex(tree.substr(0, tree.find('\n'))));
  CLEVER_ASSIGN(snapshot.head, head_state(project));
  CLEVER_TRY(hide_secrets(project, store, options.stop, snapshot));
  CLEVER_TRY(find_read_only(project, store, options, snapshot));
  if (project.shallow)
    snapshot.remarks.emplace_back("the clone is shallow: its history ends early");
  return snapshot;
}

}  // namespace clever::git
