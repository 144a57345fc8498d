#include "apply/internal/preparation.h"

#include <algorithm>
#include <ranges>

#include "apply/internal/image.h"
#include "git/tree_path.h"

namespace clever::apply::internal {
namespace {

using Facts = io::EntryFacts;

// The folders above a path, outermost first.
std::vector<std::string> folders_above(std::string_view path) {
  std::vector<std::string> folders;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    folders.emplace_back(path.substr(0, slash));
  }
  return folders;
}

bool same(const std::optional<model::FileState>& state, const Entry* entry) {
  if (!state || entry == nullptr) return !state && entry == nullptr;
  return state->mode == entry->mode && state->object == entry->object;
}

const Entry* find(const Entries& entries, const std::string& path) {
  const auto found = entries.find(path);
  if (found == entries.end() || found->second.mode == kFolderEntryMode) return nullptr;
  return &found->second;
}

Image::Kind kind_of(std::uint32_t mode) {
  if (mode == 0120000) return Image::Kind::kLink;
  return mode == 0100755 ? Image::Kind::kExecutable : Image::Kind::kFile;
}

std::string short_name(const std::string& branch) {
  constexpr std::string_view kHeads = "refs/heads/";
  if (branch.empty()) return "a commit without a branch";
  return "branch " +
         git::printable(branch.starts_with(kHeads) ? branch.substr(kHeads.size()) : branch);
}

}  // namespace

base::Result<Prepared> Preparation::run() {
  if (repository_ != nullptr) CLEVER_TRY(look_at_head());
  if (!prepared_.fits()) return std::move(prepared_);
  if (request_.mode == Mode::kBranch) {
    CLEVER_TRY(look_at_branch());
    return std::move(prepared_);
  }
  CLEVER_TRY(look_at_files());
  if (repository_ != nullptr) CLEVER_TRY(look_at_repository());
  if (repository_ == nullptr && request_.mode == Mode::kCommit) {
    prepared_.no_commit_reason =
        "the project is not a git repository: the files were changed, "
        "without a commit";
  }
  prepared_.commit = repository_ != nullptr && request_.mode == Mode::kCommit &&
                     prepared_.no_commit_reason.empty();
  prepared_.made_folders.assign(made_.begin(), made_.end());
  for (const std::string& folder : emptied_ | std::views::reverse) {
    CLEVER_ASSIGN(const Facts facts, root_.facts(folder));
    prepared_.emptied_folders.push_back({folder, facts.mode});
  }
  return std::move(prepared_);
}

base::Result<bool> Preparation::still_holds(const Prepared& found) {
  CLEVER_TRY(look_at_head());
  CLEVER_ASSIGN(const Entries index, repository_->index_entries(touched()));
  return prepared_.fits() && prepared_.parent == found.parent &&
         prepared_.reference == found.reference && index == found.index;
}

base::Result<void> Preparation::look_at_head() {
  CLEVER_ASSIGN(const git::Operation operation, git::operation_in_progress(request_.project));
  if (operation != git::Operation::kNone) {
    const std::string name(git::to_string(operation));
    return base::conflict("a " + name + " is in progress in this repository: finish it, or `git " +
                          name + " --abort`, and apply again");
  }
  CLEVER_ASSIGN(const git::HeadState head, git::head_state(request_.project));
  prepared_.parent = head.commit ? head.commit->to_hex() : "";
  prepared_.reference = head.branch.empty() ? "HEAD" : head.branch;
  if (request_.mode != Mode::kBranch && head.branch != request_.expected_branch) {
    prepared_.refusal = "the plan began on " + short_name(request_.expected_branch) +
                        ", and HEAD is now at " + short_name(head.branch);
  }
  CLEVER_ASSIGN(const Repository::Settings settings, repository_->settings());
  trust_modes_ = settings.trusts_modes;
  prepared_.sign = settings.signs;
  return {};
}

base::Result<void> Preparation::look_at_branch() {
  if (branch_) {
    prepared_.reference = *branch_;
    CLEVER_ASSIGN(prepared_.parent, repository_->commit_of(*branch_));
    if (prepared_.parent.empty()) prepared_.refusal = short_name(*branch_) + " is gone";
    if (!prepared_.fits()) return {};
  } else {
    prepared_.reference = "refs/heads/" + request_.branch;
    prepared_.new_branch = true;
  }
  CLEVER_ASSIGN(const Entries tree,
                repository_->tree_entries(prepared_.parent, touched_and_above()));
  for (const model::NetChange& change : request_.changes) {
    if (!same(change.before, find(tree, change.path))) {
      move_on(change.path, "differs in the last commit from what the changes expect");
    }
  }
  prepared_.commit = true;
  return {};
}

base::Result<void> Preparation::look_at_files() {
  for (const model::NetChange& change : request_.changes) {
    CLEVER_TRY(look_at_file(change).context("looking at " + git::printable(change.path)));
  }
  return {};
}

base::Result<void> Preparation::look_at_file(const model::NetChange& change) {
  CLEVER_ASSIGN(const Image present, image_at(root_, change.path));
  CLEVER_ASSIGN(std::optional<std::string> why, why_not(change, present));
  if (why) {
    move_on(change.path, std::move(*why));
    return {};
  }
  mode_t mode = 0;
  if (change.before) {
    CLEVER_ASSIGN(const Facts facts, root_.facts(change.path));
    mode = facts.mode;
  }
  prepared_.operations.push_back(
      {.path = change.path, .before = change.before ? present : Image{}, .after = {}});
  prepared_.modes.push_back(mode);
  return look_above(change);
}

base::Result<std::optional<std::string>> Preparation::why_not(const model::NetChange& change,
                                                              const Image& present) const {
  if (!change.before) {
    if (present.kind == Image::Kind::kNothing) return std::nullopt;
    const auto facts = root_.facts(change.path);
    const bool makes_way = facts.ok() && facts->kind == Facts::Kind::kDirectory;
    if (makes_way && removes_below(change.path)) return std::nullopt;
    return std::optional<std::string>("was created meanwhile");
  }
  if (present.kind == Image::Kind::kNothing) return std::optional<std::string>("is gone");
  CLEVER_ASSIGN(const bool unchanged, has_content(change, present));
  if (unchanged) return std::nullopt;
  return std::optional<std::string>("changed since");
}

base::Result<bool> Preparation::has_content(const model::NetChange& change,
                                            const Image& present) const {
  const Image::Kind kind = kind_of(change.before->mode);
  const bool link = kind == Image::Kind::kLink;
  if (present.kind == Image::Kind::kOther || link != (present.kind == Image::Kind::kLink)) {
    return false;
  }
  if (!link && trust_modes_ && kind != present.kind) return false;
  if (present.hash == change.before->hash) return true;
  if (link || repository_ == nullptr) return false;
  // As git would store it: other line ends in the working tree are not a change.
  CLEVER_ASSIGN(const std::string bytes, root_.read_file(change.path, kLargestApplied));
  if (base::sha256(bytes) != present.hash) return false;
  CLEVER_ASSIGN(const std::string id, repository_->normalised_id(change.path, bytes));
  return id == change.before->object;
}

base::Result<void> Preparation::look_above(const model::NetChange& change) {
  const std::vector<std::string> folders = folders_above(change.path);
  for (const std::string& folder : folders) CLEVER_TRY(look_at_folder_above(folder, change));
  if (!change.after) emptied_.insert(folders.begin(), folders.end());
  return {};
}

base::Result<void> Preparation::look_at_folder_above(const std::string& folder,
                                                     const model::NetChange& change) {
  if (made_.contains(folder)) return {};
  const auto facts = root_.facts(folder);
  if (facts.ok() && facts->kind == Facts::Kind::kDirectory) {
    if (root_.facts(folder + "/.git").ok()) {
      move_on(change.path, "lies in a submodule or another repository");
    }
    return {};
  }
  if (facts.ok() && !is_removed(folder)) {
    move_on(change.path, "lies below a path that is not a folder");
    return {};
  }
  made_.insert(folder);
  return {};
}

base::Result<void> Preparation::look_at_repository() {
  CLEVER_ASSIGN(const auto filters, repository_->filters(touched()));
  for (const auto& [path, filter] : filters) {
    move_on(path, "is under the external filter " + git::printable(filter) + ", and read-only");
  }
  CLEVER_ASSIGN(const Entries tree,
                repository_->tree_entries(prepared_.parent, touched_and_above()));
  CLEVER_ASSIGN(prepared_.index, repository_->index_entries(touched()));
  for (const auto& [path, entry] : tree) {
    if (entry.mode == kSubmoduleMode) move_on(path, "is a submodule, and read-only");
    if (request_.project.sparse && entry.mode == kFolderEntryMode && made_.contains(path)) {
      move_on(path, "is outside the sparse checkout");
    }
  }
  for (const model::NetChange& change : request_.changes) look_at_tree_entry(change, tree);
  return {};
}

// Whether the change can be committed without other changes of the user.
void Preparation::look_at_tree_entry(const model::NetChange& change, const Entries& tree) {
  const Entry* staged = find(prepared_.index, change.path);
  if (staged != nullptr && staged->absent) {
    move_on(change.path, "is outside the sparse checkout");
    return;
  }
  const bool uncommitted =
      std::ranges::any_of(request_.uncommitted,
                          [&](const git::TreePath& path) { return path.text() == change.path; }) ||
      !same(change.before, find(tree, change.path)) || !same(change.before, staged);
  if (request_.mode != Mode::kCommit || !uncommitted || !prepared_.no_commit_reason.empty()) return;
  prepared_.no_commit_reason = git::printable(change.path) +
                               " had uncommitted changes: the files were changed, without a commit";
}

bool Preparation::is_removed(std::string_view path) const {
  return std::ranges::any_of(request_.changes, [&](const model::NetChange& change) {
    return change.path == path && change.before && !change.after;
  });
}

bool Preparation::removes_below(std::string_view folder) const {
  const std::string prefix = std::string(folder) + "/";
  return std::ranges::any_of(request_.changes, [&](const model::NetChange& change) {
    return change.path.starts_with(prefix) && !change.after;
  });
}

std::set<std::string> Preparation::touched() const {
  std::set<std::string> paths;
  for (const model::NetChange& change : request_.changes) paths.insert(change.path);
  return paths;
}

std::set<std::string> Preparation::touched_and_above() const {
  std::set<std::string> paths = touched();
  for (const model::NetChange& change : request_.changes) {
    for (std::string& folder : folders_above(change.path)) paths.insert(std::move(folder));
  }
  return paths;
}

}  // namespace clever::apply::internal
