#include "storage/owner_lock.h"

#include <system_error>
#include <vector>

#include "io/directory.h"
#include "io/file.h"

namespace clever::storage {
namespace {

constexpr std::string_view kEnding = ".lock";
constexpr const char* kHomeFile = "home";
constexpr std::size_t kLongestHomeId = 256;

std::filesystem::path file_of(const std::filesystem::path& folder, const model::OwnerId& id) {
  return folder / (id.to_string() + std::string(kEnding));
}

base::Result<std::string> kernel_word(const char* path) {
  CLEVER_ASSIGN(std::string word, io::read_file(path));
  while (!word.empty() && word.back() == '\n') word.pop_back();
  return word;
}

// The first caller decides the id.
base::Result<std::string> home_id(const std::filesystem::path& folder, const std::string& fresh) {
  CLEVER_ASSIGN(const io::Directory inside, io::Directory::open(folder));
  auto id = inside.read_file(kHomeFile, kLongestHomeId);
  if (id.ok() || id.error().code() != base::ErrorCode::kNotFound) return id;
  const std::string beside = std::string(kHomeFile) + "-" + fresh;
  CLEVER_TRY(inside.create_file(beside, fresh, 0600));
  CLEVER_TRY(inside.sync_file(beside));
  const auto placed = inside.move_new(beside, kHomeFile);
  if (!placed.ok()) CLEVER_TRY(inside.remove_file(beside));
  return inside.read_file(kHomeFile, kLongestHomeId);
}

base::Result<Owner> owner_here(const model::OwnerId& id, const std::filesystem::path& folder) {
  CLEVER_ASSIGN(std::string home, home_id(folder, id.to_string()));
  CLEVER_ASSIGN(std::string host, kernel_word("/proc/sys/kernel/hostname"));
  CLEVER_ASSIGN(std::string boot, kernel_word("/proc/sys/kernel/random/boot_id"));
  return Owner{id, std::move(host), std::move(boot),
               Home{std::move(home), io::absolute_path(folder).parent_path().string()}};
}

// Returns the owners that have a file, living or dead. Skips other files.
base::Result<std::vector<model::OwnerId>> owners_in(const std::filesystem::path& folder) {
  std::vector<model::OwnerId> owners;
  std::error_code failure;
  std::filesystem::directory_iterator entry(folder, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    const auto id = model::OwnerId::parse(name.substr(0, name.size() - kEnding.size()));
    if (id.ok()) owners.push_back(*id);
  }
  if (failure)
    return base::unavailable("cannot list " + folder.string() + ": " + failure.message());
  return owners;
}

}  // namespace

base::Result<OwnerLock> OwnerLock::acquire(const std::filesystem::path& folder,
                                           const model::OwnerId& id, const base::StopToken& stop) {
  CLEVER_TRY(io::make_directories(folder));
  CLEVER_ASSIGN(Owner owner, owner_here(id, folder));
  const std::filesystem::path file = file_of(folder, id);
  while (true) {
    CLEVER_ASSIGN(io::FileLock lock, io::FileLock::acquire(file, stop, base::Deadline::never()));
    // A process that cleans up may have deleted the file before this one locked it.
    if (lock.names(file)) return OwnerLock(folder, std::move(owner), std::move(lock));
  }
}

base::Result<OwnerLock::Life> OwnerLock::probe(const Owner& other) const {
  if (other.id == owner_.id) return Life::kAlive;
  if (other.host != owner_.host || other.boot != owner_.boot) return Life::kUnknown;
  const auto held = io::FileLock::is_held(file_of(folder_, other.id));
  if (held.ok()) return *held ? Life::kAlive : Life::kDead;
  if (held.error().code() == base::ErrorCode::kNotFound) return Life::kUnknown;
  return held.error();
}

base::Result<std::size_t> OwnerLock::remove_leftovers(
    const std::set<model::OwnerId>& needed) const {
  CLEVER_ASSIGN(const auto owners, owners_in(folder_));
  std::size_t removed = 0;
  for (const model::OwnerId& id : owners) {
    if (needed.contains(id)) continue;
    const auto gone = io::FileLock::remove_if_free(file_of(folder_, id));
    if (gone.ok() && *gone) ++removed;
    // Another process that cleans up removed it first.
    if (!gone.ok() && gone.error().code() != base::ErrorCode::kNotFound) return gone.error();
  }
  return removed;
}

}  // namespace clever::storage
