#include "sandbox/workspace/internal/checkout.h"

#include <optional>
#include <string>

#include "io/file.h"
#include "io/file_lock.h"
#include "sandbox/workspace/internal/disk_files.h"
#include "sandbox/workspace/internal/layers.h"
#include "sandbox/workspace/internal/overlay_marks.h"

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::TreeEntry;

constexpr std::int64_t kNoTime = 978'307'200'000'000'000;  // the first second of 2001

class Checkout {
 public:
  Checkout(git::ObjectStore& store, std::optional<io::Directory> user, const base::StopToken& stop)
      : store_(store), user_(std::move(user)), stop_(stop) {}

  base::Result<void> folder(const git::ObjectId& tree, const io::Directory& target,
                            const std::string& prefix) {
    if (stop_.stop_requested()) return base::cancelled("stopped while checking out the base");
    CLEVER_ASSIGN(const auto entries, store_.tree(tree));
    for (const TreeEntry& entry : entries) CLEVER_TRY(one(entry, target, prefix + entry.name));
    return {};
  }

 private:
  base::Result<void> one(const TreeEntry& entry, const io::Directory& target,
                         const std::string& path) {
    if (is_folder(entry.node)) {
      CLEVER_TRY(target.make_directories(entry.name, 0755));
      CLEVER_ASSIGN(const io::Directory below, target.open_below(entry.name));
      return folder(entry.node.id, below, path + "/");
    }
    if (entry.node.mode == FileMode::kSubmodule) return target.make_directories(entry.name, 0755);
    CLEVER_ASSIGN(const bool written, file(entry, target));
    if (written) set_modified(target, entry.name, modified_at(path));
    return {};
  }

  base::Result<bool> file(const TreeEntry& entry, const io::Directory& target) {
    auto content = store_.blob(entry.node.id, kLargestOnDisk);
    if (!content.ok()) {
      if (content.error().code() == base::ErrorCode::kResourceExhausted) return false;
      return std::move(content).error();
    }
    if (entry.node.mode == FileMode::kLink) {
      CLEVER_TRY(target.create_link(entry.name, *content));
    } else {
      const mode_t mode = entry.node.mode == FileMode::kExecutable ? 0755 : 0644;
      CLEVER_TRY(target.create_file(entry.name, *content, mode));
    }
    return true;
  }

  [[nodiscard]] std::int64_t modified_at(const std::string& path) const {
    if (!user_) return kNoTime;
    const auto facts = user_->facts(path);
    return facts.ok() ? facts->modified : kNoTime;
  }

  git::ObjectStore& store_;
  const std::optional<io::Directory> user_;
  const base::StopToken& stop_;
};

// The machine's boot id; empty if it is unknown.
std::string boot() {
  return io::read_file("/proc/sys/kernel/random/boot_id").value_or(std::string());
}

}  // namespace

base::Result<void> check_out(git::ObjectStore& store, const git::ObjectId& tree,
                             const io::Directory& target, const std::filesystem::path& user_root,
                             const base::StopToken& stop) {
  std::optional<io::Directory> user;
  if (auto opened = io::Directory::open(user_root); opened.ok()) user = std::move(*opened);
  return Checkout(store, std::move(user), stop).folder(tree, target, "");
}

base::Result<std::filesystem::path> shared_checkout(git::ObjectStore& store,
                                                    const git::ObjectId& tree,
                                                    const std::filesystem::path& shared,
                                                    const std::filesystem::path& user_root,
                                                    const base::StopToken& stop) {
  const std::string name = tree.to_hex();
  const std::filesystem::path folder = shared / name;
  const std::filesystem::path whole = shared / (name + ".whole");  // the boot in which it was made
  const auto is_there = [&] {
    const auto made = io::read_file(whole);
    return made.ok() && *made == boot();
  };
  if (is_there()) return folder;
  CLEVER_TRY(io::make_directories(shared));
  CLEVER_ASSIGN(const auto lock,
                io::FileLock::acquire(shared / (name + ".lock"), stop, base::Deadline::never()));
  if (is_there()) return folder;
  CLEVER_ASSIGN(const io::Directory above, io::Directory::open(shared));
  // Removes what a crash, or an earlier boot, left.
  CLEVER_TRY(above.remove_all(name));
  CLEVER_TRY(above.remove_all(name + ".part"));
  CLEVER_TRY(above.make_directories(name + ".part", 0755));
  CLEVER_ASSIGN(const io::Directory part, above.open_below(name + ".part"));
  CLEVER_TRY(check_out(store, tree, part, user_root, stop));
  CLEVER_TRY(above.move_new(name + ".part", name));
  CLEVER_TRY(io::write_file_atomically(whole, boot()));
  return folder;
}

}  // namespace clever::sandbox::internal
