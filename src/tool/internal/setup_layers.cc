#include "tool/internal/setup_layers.h"

#include "base/sha256.h"
#include "git/tree.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_lock.h"

namespace clever::tool::internal {
namespace {

using confine::Mount;

constexpr std::string_view kMark = "done";

bool is_overlay(const Mount& mount) { return mount.kind == Mount::Kind::kOverlay; }

// One folder for each overlay, named after its mount point.
std::string place_of(const Mount& mount) {
  return base::sha256(mount.target.string()).to_hex().substr(0, 16);
}

// Lists everything below a folder, deepest last; does not follow links.
base::Result<std::vector<std::string>> files_below(const io::Directory& folder) {
  using Kind = io::EntryFacts::Kind;
  std::vector<std::string> files;
  std::vector<std::string> folders = {""};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::string at = folders[i];
    CLEVER_TRY(folder.list(at, [&](std::string_view name, Kind kind) {
      std::string path = at.empty() ? std::string(name) : at + "/" + std::string(name);
      (kind == Kind::kDirectory ? folders : files).push_back(std::move(path));
      return true;
    }));
  }
  return files;
}

// A setup must not change or remove the project's own files.
base::Result<void> drop_files_of_base(sandbox::Workspace& workspace,
                                      const std::filesystem::path& layer) {
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(layer));
  CLEVER_ASSIGN(const std::vector<std::string> files, files_below(folder));
  for (const std::string& file : files) {
    const auto path = git::TreePath::parse(file);
    if (!path.ok()) continue;
    CLEVER_ASSIGN(const auto node, git::find(workspace.store(), workspace.base().tree, *path));
    if (node.has_value()) CLEVER_TRY(folder.remove_file(file));
  }
  return {};
}

}  // namespace

std::string SetupLayers::name_for(sandbox::Workspace& workspace,
                                  const std::vector<Mount>& mounts) const {
  base::Sha256 hash;
  hash.update(workspace.base().tree.to_hex()).update("\n").update(setup_);
  for (const Mount& mount : mounts) {
    if (is_overlay(mount)) hash.update("\n").update(mount.target.string());
  }
  return "setup-" + hash.finish().to_hex();
}

base::Result<void> SetupLayers::add(sandbox::Workspace& workspace, std::vector<Mount>& mounts,
                                    const RunSetup& run, const base::StopToken& stop,
                                    base::Deadline deadline) const {
  const std::string name = name_for(workspace, mounts);
  const std::filesystem::path mark = folder_ / name / kMark;
  if (io::file_kind(mark) == io::FileKind::kMissing) {
    CLEVER_TRY(io::make_directories(folder_));
    CLEVER_ASSIGN(const io::FileLock lock,
                  io::FileLock::acquire(folder_ / (name + ".lock"), stop, deadline));
    if (io::file_kind(mark) == io::FileKind::kMissing) {
      CLEVER_TRY(make(workspace, name, mounts, run));
    }
  }
  for (Mount& mount : mounts) {
    if (!is_overlay(mount)) continue;
    mount.lower.insert(mount.lower.begin(), folder_ / name / place_of(mount) / "upper");
  }
  return {};
}

base::Result<void> SetupLayers::make(sandbox::Workspace& workspace, const std::string& name,
                                     std::vector<Mount> mounts, const RunSetup& run) const {
  const std::filesystem::path layers = folder_ / name;
  CLEVER_ASSIGN(const io::Directory shared, io::Directory::open(folder_));
  if (io::file_kind(layers) != io::FileKind::kMissing) CLEVER_TRY(shared.remove_all(name));
  for (Mount& mount : mounts) {
    if (!is_overlay(mount)) continue;
    mount.upper = layers / place_of(mount) / "upper";
    mount.work = layers / place_of(mount) / "work";
    CLEVER_TRY(io::make_directories(mount.upper, 0755));
    CLEVER_TRY(io::make_directories(mount.work, 0755));
  }
  CLEVER_TRY(run(mounts));
  for (const Mount& mount : mounts) {
    if (!is_overlay(mount)) continue;
    CLEVER_TRY(shared.remove_all(name + "/" + place_of(mount) + "/work"));
  }
  if (!mounts.empty() && is_overlay(mounts.front())) {
    CLEVER_TRY(drop_files_of_base(workspace, mounts.front().upper));
  }
  return io::write_file_atomically(layers / kMark, setup_);
}

}  // namespace clever::tool::internal
