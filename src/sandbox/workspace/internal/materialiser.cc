#include "sandbox/workspace/internal/materialiser.h"

#include <algorithm>
#include <system_error>

#include "base/sha256.h"
#include "git/private_repository.h"
#include "git/project_group.h"
#include "io/file.h"

namespace clever::sandbox::internal {
namespace {

using confine::Mount;

// Names in the workspace's folder.
constexpr std::string_view kUpper = "upper";
constexpr std::string_view kWork = "work";
constexpr std::string_view kCopy = "files";
constexpr std::string_view kDependencies = "dependencies";
constexpr std::string_view kRepository = "git";

bool is_ignore_file(const git::TreePath& path) { return path.name() == ".gitignore"; }

base::Result<io::Directory> folder_in(const std::filesystem::path& above, std::string_view name) {
  CLEVER_TRY(io::make_directories(above));
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(above));
  CLEVER_TRY(folder.make_directories(name, 0755));
  return folder.open_below(name);
}

// Signs every file that was just written.
base::Result<void> sign_all(git::ObjectStore& store, const git::ObjectId& tree, DiskFiles& files) {
  return git::walk(store, tree, std::nullopt, [&](const std::string& path, const git::Node& node) {
    if (node.mode == git::FileMode::kSubmodule) return true;
    if (const auto facts = files.folder.facts(path); facts.ok()) {
      files.known.emplace_hint(files.known.end(), path, *facts);
    }
    return true;
  });
}

}  // namespace

base::Result<Workspace::Materialised> Materialiser::show(
    const git::ObjectId& tree, const std::vector<std::string>& dependency_folders, bool overlay,
    const base::StopToken& stop) {
  if (!files_ || files_->overlay != overlay) {
    CLEVER_TRY(drop());
    CLEVER_TRY(overlay ? begin_overlay(stop) : begin_copy(tree, stop));
  }
  if (auto updated = update(tree, stop); !updated.ok()) {
    files_.reset();
    return std::move(updated).error();
  }
  Workspace::Materialised answer{.mounts = {}, .overlay = overlay};
  Mount mount{.kind = overlay ? Mount::Kind::kOverlay : Mount::Kind::kWritable,
              .target = options_.project_root};
  if (overlay) {
    mount.lower = {checkout_->folder};
    mount.upper = options_.folder / kUpper;
    mount.work = options_.folder / kWork;
  } else {
    mount.source = options_.folder / kCopy;
  }
  answer.mounts.push_back(std::move(mount));
  for (const std::string& path : dependency_folders) CLEVER_TRY(add_dependency(path, answer));
  return answer;
}

base::Result<void> Materialiser::begin_overlay(const base::StopToken& stop) {
  CLEVER_ASSIGN(checkout_, shared_checkout(*options_.store, options_.base->tree,
                                           options_.shared_folder, options_.project_root, stop));
  CLEVER_ASSIGN(io::Directory upper, folder_in(options_.folder, kUpper));
  CLEVER_TRY(folder_in(options_.folder, kWork));
  files_.emplace(DiskFiles{
      .folder = std::move(upper), .overlay = true, .base = options_.base->tree, .known = {}});
  shown_ = options_.base->tree;
  rules_.reset();
  return {};
}

base::Result<void> Materialiser::begin_copy(const git::ObjectId& tree,
                                            const base::StopToken& stop) {
  CLEVER_ASSIGN(io::Directory copy, folder_in(options_.folder, kCopy));
  DiskFiles files{.folder = std::move(copy), .overlay = false, .base = {}, .known = {}};
  CLEVER_TRY(check_out(*options_.store, tree, files.folder, options_.project_root, stop));
  CLEVER_TRY(sign_all(*options_.store, tree, files));
  files_.emplace(std::move(files));
  shown_ = tree;
  rules_.reset();
  return {};
}

base::Result<void> Materialiser::update(const git::ObjectId& tree, const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto differences, git::compare(*options_.store, shown_, tree, stop));
  CLEVER_TRY(internal::show(*options_.store, *files_, differences));
  if (std::ranges::any_of(differences, is_ignore_file, &git::TreeDifference::path)) rules_.reset();
  shown_ = tree;
  if (!rules_) {
    CLEVER_ASSIGN(rules_, git::IgnoreRules::of_tree(*options_.store, tree, options_.excludes));
  }
  return {};
}

// Each member of a group has a checkout of its own.
std::pair<std::filesystem::path, std::string> Materialiser::in_checkout(
    const std::string& path) const {
  const auto at =
      options_.project == nullptr ? std::nullopt : git::member_path(*options_.project, path);
  if (!at) return {options_.project_root, path};
  return {options_.project->members[at->member].root, std::string(at->path)};
}

// Shows a dependency folder of the user's checkout. Changes go to a layer of this workspace;
// without layers it is read-only.
base::Result<void> Materialiser::add_dependency(const std::string& path,
                                                Workspace::Materialised& answer) {
  CLEVER_ASSIGN(const git::TreePath where, git::TreePath::parse(path));
  const std::filesystem::path target = options_.project_root / where.text();
  const auto [root, below] = in_checkout(where.text());
  const std::filesystem::path source = root / below;
  const io::FileKind kind = io::file_kind(source);
  if (kind == io::FileKind::kFile) return add_file(where);
  if (kind != io::FileKind::kDirectory) return {};
  CLEVER_TRY(files_->folder.make_directories(where.text(), 0755));
  Mount mount{.kind = Mount::Kind::kReadOnly, .target = target, .source = source};
  if (answer.overlay) {
    const std::string name = base::sha256(where.text()).to_hex().substr(0, 16);
    const std::filesystem::path own = options_.folder / kDependencies / name;
    CLEVER_TRY(folder_in(own, kUpper));
    CLEVER_TRY(folder_in(own, kWork));
    mount = {.kind = Mount::Kind::kOverlay,
             .target = target,
             .source = {},
             .lower = {source},
             .upper = own / kUpper,
             .work = own / kWork};
  }
  answer.mounts.push_back(std::move(mount));
  return {};
}

// Copies a single ignored file once; commands may change the copy.
base::Result<void> Materialiser::add_file(const git::TreePath& path) {
  if (files_->folder.facts(path.text()).ok()) return {};
  const auto [root, below] = in_checkout(path.text());
  CLEVER_ASSIGN(const io::Directory project, io::Directory::open(root));
  CLEVER_ASSIGN(const io::EntryFacts facts, project.facts(below));
  if (facts.kind != io::EntryFacts::Kind::kFile) return {};
  CLEVER_ASSIGN(const std::string content, project.read_file(below, options_.largest_file));
  if (!path.folder().empty()) CLEVER_TRY(files_->folder.make_directories(path.folder(), 0755));
  return files_->folder.create_file(path.text(), content, facts.mode);
}

base::Result<bool> Materialiser::may_show_history() const {
  const git::BaseSnapshot& base = *options_.base;
  const bool has_history =
      options_.project != nullptr && options_.project->kind == git::ProjectKind::kRepository;
  if (!has_history) return false;
  for (const git::TreePath& path : base.hidden) {
    CLEVER_ASSIGN(const auto node, git::find(*options_.store, base.head.tree, path));
    if (node) return false;
  }
  return true;
}

base::Result<std::vector<Mount>> Materialiser::show_repository(const base::StopToken& stop) {
  if (!files_) return base::conflict("no command was begun");
  std::vector<Mount> mounts;
  CLEVER_ASSIGN(const bool shows, may_show_history());
  if (!shows) return mounts;
  const std::filesystem::path folder = options_.folder / kRepository;
  if (io::file_kind(folder) != io::FileKind::kDirectory) CLEVER_TRY(make_repository(stop));
  CLEVER_TRY(files_->folder.make_directories(".git", 0755));
  const std::filesystem::path inside = options_.project_root / ".git";
  mounts.push_back({.kind = Mount::Kind::kWritable, .target = inside, .source = folder});
  for (git::BorrowedObjects& borrowed : git::borrowed_objects(*options_.project)) {
    mounts.push_back({.kind = Mount::Kind::kReadOnly,
                      .target = inside / borrowed.name,
                      .source = std::move(borrowed.source)});
  }
  return mounts;
}

// Renamed into place when it is complete.
base::Result<void> Materialiser::make_repository(const base::StopToken& stop) const {
  const std::string part = std::string(kRepository) + ".part";
  CLEVER_ASSIGN(const io::Directory above, io::Directory::open(options_.folder));
  CLEVER_TRY(above.remove_all(part));
  CLEVER_TRY(git::make_private_repository(*options_.project, options_.base->head,
                                          options_.folder / part, stop));
  if (options_.base->head.commit) CLEVER_TRY(add_index(options_.folder / part, stop));
  return above.move_new(part, kRepository);
}

// On an overlay, all workspaces on the base share it.
base::Result<void> Materialiser::add_index(const std::filesystem::path& repository,
                                           const base::StopToken& stop) const {
  const git::ObjectId& head = options_.base->head.tree;
  const std::filesystem::path index = repository / "index";
  if (!files_->overlay) {
    return git::write_index(*options_.store, head, shown_, options_.folder / kCopy, index, stop);
  }
  const std::filesystem::path shared = checkout_->folder.string() + ".index-" + head.to_hex();
  std::error_code failed;
  if (io::file_kind(shared) != io::FileKind::kFile) {
    CLEVER_TRY(git::write_index(*options_.store, head, options_.base->tree, checkout_->folder,
                                index, stop));
    // Another process may have made it meanwhile.
    std::filesystem::copy_file(index, repository / "index.shared", failed);
    if (!failed) std::filesystem::rename(repository / "index.shared", shared, failed);
    return {};
  }
  std::filesystem::copy_file(shared, index, failed);
  if (!failed) return {};
  return base::unavailable("cannot copy " + shared.string() + ": " + failed.message());
}

std::vector<std::string> Materialiser::commits() const {
  const git::HeadState& head = options_.base->head;
  const std::filesystem::path folder = options_.folder / kRepository;
  if (io::file_kind(folder) != io::FileKind::kDirectory) return {};
  return git::commit_subjects(folder, head.commit.value_or(git::ObjectId()));
}

base::Result<DiskChanges> Materialiser::changes(const base::StopToken& stop) {
  if (!files_) return base::conflict("no command was begun");
  git::ObjectStore& store = *options_.store;
  const auto capture_with = [&](const git::IgnoreRules& rules) {
    return capture(store, *files_,
                   {.shown = shown_,
                    .rules = rules,
                    .read_only = options_.base->filtered,
                    .secrets = options_.secrets,
                    .hidden = options_.base->hidden,
                    .largest_file = options_.largest_file},
                   stop);
  };
  CLEVER_ASSIGN(DiskChanges found, capture_with(*rules_));
  std::vector<git::TreeChange> rules_changed;
  std::ranges::copy_if(found.changes, std::back_inserter(rules_changed), is_ignore_file,
                       &git::TreeChange::path);
  if (rules_changed.empty()) return found;
  // The command changed the ignore rules: they apply to the files that it made.
  auto ruled = git::edit_tree(store, shown_, rules_changed);
  if (!ruled.ok()) return found;  // a folder in place of a file: the rules stay
  CLEVER_ASSIGN(rules_, git::IgnoreRules::of_tree(store, *ruled, options_.excludes));
  return capture_with(*rules_);
}

base::Result<void> Materialiser::accept(DiskChanges changes) {
  CLEVER_ASSIGN(shown_, git::edit_tree(*options_.store, shown_, std::move(changes.changes)));
  files_->known = std::move(changes.known);
  return {};
}

base::Result<void> Materialiser::drop() {
  files_.reset();
  if (io::file_kind(options_.folder) != io::FileKind::kDirectory) return {};
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(options_.folder));
  for (const auto name : {kUpper, kWork, kCopy, kDependencies, kRepository})
    CLEVER_TRY(folder.remove_all(name));
  return {};
}

}  // namespace clever::sandbox::internal
