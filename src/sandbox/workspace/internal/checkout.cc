#include "sandbox/workspace/internal/checkout.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/text.h"
#include "io/file.h"
#include "sandbox/workspace/internal/disk_files.h"
#include "sandbox/workspace/internal/layers.h"
#include "sandbox/workspace/internal/overlay_marks.h"

namespace clever::sandbox::internal {
namespace {

namespace fs = std::filesystem;

using git::FileMode;
using git::ObjectId;
using git::TreeEntry;

constexpr std::int64_t kNoTime = 978'307'200'000'000'000;  // the first second of 2001
constexpr std::string_view kWhole = ".whole";
constexpr std::string_view kLock = ".lock";
constexpr std::string_view kPart = ".part";
constexpr std::string_view kFiles = ".files";
constexpr std::size_t kTimesLength = 16;

const std::optional<io::Directory> kNone{};

// In the order of the tree's files.
using Times = std::vector<std::int64_t>;

bool is_file(const TreeEntry& entry) {
  return !is_folder(entry.node) && entry.node.mode != FileMode::kSubmodule;
}

std::optional<io::Directory> folder_below(const std::optional<io::Directory>& above,
                                          std::string_view name) {
  if (!above) return std::nullopt;
  auto opened = above->open_below(name);
  return opened.ok() ? std::optional(std::move(*opened)) : std::nullopt;
}

base::Result<void> add_times(git::ObjectStore& store, const ObjectId& tree,
                             const std::optional<io::Directory>& user, const base::StopToken& stop,
                             Times& times) {
  if (stop.stop_requested()) return base::cancelled("stopped while looking at the project");
  CLEVER_ASSIGN(const auto entries, store.tree(tree));
  for (const TreeEntry& entry : entries) {
    if (is_folder(entry.node)) {
      CLEVER_TRY(add_times(store, entry.node.id, folder_below(user, entry.name), stop, times));
    } else if (is_file(entry)) {
      const auto facts =
          user ? user->facts(entry.name) : base::Result<io::EntryFacts>(base::not_found(""));
      times.push_back(facts.ok() ? facts->modified : kNoTime);
    }
  }
  return {};
}

base::Result<Times> user_times(git::ObjectStore& store, const ObjectId& tree,
                               const fs::path& user_root, const base::StopToken& stop) {
  std::optional<io::Directory> user;
  if (auto opened = io::Directory::open(user_root); opened.ok()) user = std::move(*opened);
  Times times;
  CLEVER_TRY(add_times(store, tree, user, stop, times));
  return times;
}

// The names of a checkout's files, with what they hold. `store` may not have the tree of an older
// one, so it is written down: "ID MODE TIME PATH", a NUL after each.
class Manifest {
 public:
  static std::string line(const std::string& path, const git::Node& node, std::int64_t modified) {
    return node.id.to_hex() + " " + std::to_string(static_cast<unsigned>(node.mode)) + " " +
           std::to_string(modified) + " " + path + '\0';
  }

  explicit Manifest(std::string text)
      : text_(std::make_shared<const std::string>(std::move(text))) {
    for (const std::string_view one : base::split(*text_, '\0')) {
      std::size_t path = 0;
      for (int i = 0; i < 3 && path != std::string_view::npos; ++i) path = one.find(' ', path + 1);
      if (path != std::string_view::npos) lines_.emplace(one.substr(path + 1), one);
    }
  }

  // Whether the file at this path is as the line says.
  [[nodiscard]] bool has(const std::string& path, const std::string& line) const {
    const auto known = lines_.find(path);
    return known != lines_.end() &&
           known->second == std::string_view(line).substr(0, line.size() - 1);
  }

 private:
  std::shared_ptr<const std::string> text_;
  std::unordered_map<std::string_view, std::string_view> lines_{};
};

/// A complete checkout whose files may be linked.
struct Older {
  io::FileLock use;
  std::optional<io::Directory> folder;
  Manifest manifest;
};

class Checkout {
 public:
  Checkout(git::ObjectStore& store, const Times& times, const Older* older,
           const base::StopToken& stop)
      : store_(store), times_(times), older_(older), stop_(stop) {}

  base::Result<void> folder(const ObjectId& tree, const io::Directory& target,
                            const std::optional<io::Directory>& older, const std::string& prefix) {
    if (stop_.stop_requested()) return base::cancelled("stopped while checking out the base");
    CLEVER_ASSIGN(const auto entries, store_.tree(tree));
    for (const TreeEntry& entry : entries) {
      if (is_folder(entry.node)) {
        CLEVER_TRY(target.make_directories(entry.name, 0755));
        CLEVER_ASSIGN(const io::Directory below, target.open_below(entry.name));
        CLEVER_TRY(folder(entry.node.id, below, folder_below(older, entry.name),
                          prefix + entry.name + "/"));
      } else if (is_file(entry)) {
        CLEVER_TRY(file(entry, target, older, prefix));
      } else {
        CLEVER_TRY(target.make_directories(entry.name, 0755));
      }
    }
    return {};
  }

  [[nodiscard]] const std::string& manifest() const { return manifest_; }

 private:
  base::Result<void> file(const TreeEntry& entry, const io::Directory& target,
                          const std::optional<io::Directory>& older, const std::string& prefix) {
    const std::int64_t modified = times_.at(next_++);
    const std::string path = prefix + entry.name;
    const std::string line = Manifest::line(path, entry.node, modified);
    manifest_ += line;
    // One that has too many names is written.
    const bool may_link = older && older_->manifest.has(path, line);
    if (may_link && target.add_name_of(*older, entry.name).ok()) return {};
    CLEVER_ASSIGN(const bool written, write(entry, target));
    if (written) set_modified(target, entry.name, modified);
    return {};
  }

  base::Result<bool> write(const TreeEntry& entry, const io::Directory& target) {
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

  git::ObjectStore& store_;
  const Times& times_;
  const Older* older_;
  const base::StopToken& stop_;
  std::size_t next_ = 0;
  std::string manifest_{};
};

// The machine's boot id; empty if it is unknown.
std::string boot() {
  return io::read_file("/proc/sys/kernel/random/boot_id").value_or(std::string());
}

fs::path beside(const fs::path& folder, std::string_view ending) {
  return folder.string() + std::string(ending);
}

bool is_whole(const fs::path& folder) {
  const auto made = io::read_file(beside(folder, kWhole));
  return made.ok() && *made == boot();
}

// "TREE-TIMES"
std::string name_of(const ObjectId& tree, const Times& times) {
  const std::string_view bytes(reinterpret_cast<const char*>(times.data()),
                               times.size() * sizeof(Times::value_type));
  return tree.to_hex() + "-" + base::sha256(bytes).to_hex().substr(0, kTimesLength);
}

// The complete checkout that was used last.
std::optional<Older> newest_in(const fs::path& shared) {
  fs::path newest;
  std::int64_t latest = 0;
  for (const std::string& name : checkouts_in(shared)) {
    const std::int64_t used = checkout_used_at(shared / name);
    if (used <= latest) continue;
    latest = used;
    newest = shared / name;
  }
  if (newest.empty()) return std::nullopt;
  base::StopSource at_once;
  at_once.request_stop();
  auto use = io::FileLock::share(beside(newest, kLock), at_once.token(), base::Deadline::never());
  auto opened = io::Directory::open(newest);
  auto manifest = io::read_file(beside(newest, kFiles));
  if (!use.ok() || !opened.ok() || !manifest.ok() || !is_whole(newest)) return std::nullopt;
  return Older{std::move(*use), std::move(*opened), Manifest(std::move(*manifest))};
}

void note_use(const fs::path& folder) {
  const auto above = io::Directory::open(folder.parent_path());
  const auto now = base::SystemClock().wall_now().time_since_epoch();
  if (above.ok())
    set_modified(*above, folder.filename().string() + std::string(kWhole), now.count());
}

base::Result<void> remove_files(const fs::path& folder) {
  CLEVER_ASSIGN(const io::Directory above, io::Directory::open(folder.parent_path()));
  const std::string name = folder.filename().string();
  std::vector<std::string> belonging;
  CLEVER_TRY(above.list("", [&](std::string_view one, io::EntryFacts::Kind) {
    const bool is_lock = one == name + std::string(kLock);
    if (one.starts_with(name) && !is_lock) belonging.emplace_back(one);
    return true;
  }));
  // First the mark, so that a crash leaves none at a half one.
  CLEVER_TRY(above.remove_all(name + std::string(kWhole)));
  for (const std::string& one : belonging) CLEVER_TRY(above.remove_all(one));
  return {};
}

base::Result<void> make(git::ObjectStore& store, const ObjectId& tree, const Times& times,
                        const fs::path& folder, const base::StopToken& stop) {
  // Removes what a crash, or an earlier boot, left.
  CLEVER_TRY(remove_files(folder));
  CLEVER_ASSIGN(const io::Directory above, io::Directory::open(folder.parent_path()));
  const std::string name = folder.filename().string();
  const std::string part = name + std::string(kPart);
  CLEVER_TRY(above.make_directories(part, 0755));
  CLEVER_ASSIGN(const io::Directory target, above.open_below(part));
  const auto older = newest_in(folder.parent_path());
  Checkout checkout(store, times, older ? &*older : nullptr, stop);
  CLEVER_TRY(checkout.folder(tree, target, older ? older->folder : kNone, ""));
  CLEVER_TRY(io::write_file_atomically(beside(folder, kFiles), checkout.manifest()));
  CLEVER_TRY(above.move_new(part, name));
  return io::write_file_atomically(beside(folder, kWhole), boot());
}

}  // namespace

base::Result<void> check_out(git::ObjectStore& store, const ObjectId& tree,
                             const io::Directory& target, const fs::path& user_root,
                             const base::StopToken& stop) {
  CLEVER_ASSIGN(const Times times, user_times(store, tree, user_root, stop));
  return Checkout(store, times, nullptr, stop).folder(tree, target, kNone, "");
}

base::Result<SharedCheckout> shared_checkout(git::ObjectStore& store, const ObjectId& tree,
                                             const fs::path& shared, const fs::path& user_root,
                                             const base::StopToken& stop) {
  CLEVER_ASSIGN(const Times times, user_times(store, tree, user_root, stop));
  const fs::path folder = shared / name_of(tree, times);
  const fs::path lock = beside(folder, kLock);
  while (true) {
    CLEVER_TRY(io::make_directories(shared));
    {
      CLEVER_ASSIGN(auto use, io::FileLock::share(lock, stop, base::Deadline::never()));
      if (use.names(lock) && is_whole(folder)) {
        note_use(folder);
        return SharedCheckout{folder, std::move(use)};
      }
    }
    CLEVER_ASSIGN(const auto alone, io::FileLock::acquire(lock, stop, base::Deadline::never()));
    // A cleanup may have removed the lock's file meanwhile.
    if (alone.names(lock) && !is_whole(folder)) {
      CLEVER_TRY(make(store, tree, times, folder, stop));
    }
  }
}

std::vector<std::string> checkouts_in(const fs::path& shared) {
  std::vector<std::string> names;
  const auto folder = io::Directory::open(shared);
  if (!folder.ok()) return names;
  (void)folder->list("", [&](std::string_view name, io::EntryFacts::Kind) {
    if (name.ends_with(kLock)) names.emplace_back(name.substr(0, name.size() - kLock.size()));
    return true;
  });
  std::ranges::sort(names);
  return names;
}

std::int64_t checkout_used_at(const fs::path& folder) {
  const auto above = io::Directory::open(folder.parent_path());
  if (!above.ok() || !is_whole(folder)) return 0;
  const auto facts = above->facts(folder.filename().string() + std::string(kWhole));
  return facts.ok() ? facts->modified : 0;
}

bool is_checkout_used(const fs::path& folder) {
  // Exclusive holders alone refuse a shared lock, so this asks for an exclusive one.
  return !io::FileLock::try_acquire(beside(folder, kLock)).ok();
}

base::Result<void> remove_checkout(const fs::path& folder) {
  const fs::path lock = beside(folder, kLock);
  const auto alone = io::FileLock::try_acquire(lock);
  if (!alone.ok()) return base::conflict(folder.string() + " is kept: a process uses it");
  CLEVER_TRY(remove_files(folder));
  CLEVER_ASSIGN(const io::Directory above, io::Directory::open(folder.parent_path()));
  return above.remove_file(lock.filename().string());
}

}  // namespace clever::sandbox::internal
