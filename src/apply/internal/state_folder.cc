#include "apply/internal/state_folder.h"

#include <algorithm>
#include <array>

#include "io/directory.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::apply::internal {
namespace {

constexpr const char* kFolder = "apply";
constexpr const char* kJournal = "journal";
constexpr std::size_t kJournalLimit = std::size_t{1} << 30U;
constexpr auto kModes = std::to_array<std::string_view>({"commit", "working_tree", "branch"});

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// One line each: how, the commit, the reference.
std::string text_of(const DoneMark& mark) {
  return std::string(kModes.at(static_cast<std::size_t>(mark.mode))) + "\n" + mark.commit + "\n" +
         mark.reference + "\n";
}

base::Result<DoneMark> parse_mark(std::string_view text, const std::filesystem::path& path) {
  const std::string_view name = next_line(text);
  for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
    if (kModes.at(mode) != name) continue;
    const std::string commit(next_line(text));
    return DoneMark{static_cast<Mode>(mode), commit, std::string(next_line(text))};
  }
  return base::corruption("cannot read " + path.string() + ": it is not a mark of an apply");
}

std::string folder_of(const std::string& root) { return base::sha256(root).to_hex().substr(0, 32); }

}  // namespace

StateFolder::StateFolder(const std::filesystem::path& state_folder, const git::Project& project)
    : folder_(state_folder / kFolder / folder_of(project.root.string())) {}

StateFolder StateFolder::beside(const std::string& root) const {
  return StateFolder(folder_.parent_path() / folder_of(root));
}

base::Result<io::FileLock> StateFolder::lock(const base::StopToken& stop,
                                             base::Deadline deadline) const {
  CLEVER_TRY(io::make_directories(folder_ / "done"));
  return io::FileLock::acquire(folder_ / "lock", stop, deadline)
      .context("waiting for another apply to this project");
}

base::Result<std::optional<io::FileLock>> StateFolder::try_lock() const {
  auto lock = io::FileLock::try_acquire(folder_ / "lock");
  if (lock.ok()) return std::optional(std::move(lock).value());
  if (lock.error().code() == base::ErrorCode::kUnavailable) return std::nullopt;
  return std::move(lock).error();
}

bool StateFolder::any_has_journal(const std::filesystem::path& state_folder) {
  const auto folder = io::Directory::open(state_folder / kFolder);
  if (!folder.ok()) return false;
  bool found = false;
  const auto listed = folder->list("", [&](std::string_view name, io::EntryFacts::Kind /*kind*/) {
    found = folder->facts(std::string(name) + "/" + kJournal).ok();
    return !found;
  });
  return listed.ok() && found;
}

std::vector<StateFolder> StateFolder::interrupted_groups_with(
    const std::filesystem::path& state_folder, const std::string& root) {
  std::vector<StateFolder> found;
  const auto folder = io::Directory::open(state_folder / kFolder);
  if (!folder.ok()) return found;
  static_cast<void>(folder->list("", [&](std::string_view name, io::EntryFacts::Kind /*kind*/) {
    StateFolder group(state_folder / kFolder / name);
    const auto journal = group.journal();
    if (!journal.ok() || !*journal) return true;
    const std::vector<std::string>& roots = (*journal)->beginning.projects;
    if (std::ranges::find(roots, root) != roots.end()) found.push_back(std::move(group));
    return true;
  }));
  return found;
}

std::filesystem::path StateFolder::journal_path() const { return folder_ / kJournal; }

bool StateFolder::has_journal() const {
  return io::file_kind(journal_path()) != io::FileKind::kMissing;
}

base::Result<std::optional<Journal>> StateFolder::journal() const {
  auto bytes = io::read_file(journal_path(), kJournalLimit);
  if (!bytes.ok() && bytes.error().code() == base::ErrorCode::kNotFound) return std::nullopt;
  if (!bytes.ok()) return std::move(bytes).error();
  return read_journal(*bytes).context("reading " + journal_path().string());
}

base::Result<void> StateFolder::remove_journal() const {
  auto removed = io::remove_file(journal_path());
  if (!removed.ok() && removed.error().code() != base::ErrorCode::kNotFound) return removed;
  // A journal that reappeared after a loss of power would undo the user's later changes.
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(folder_));
  return folder.sync_directory("");
}

std::filesystem::path StateFolder::done_path(const std::string& plan,
                                             const base::Sha256Digest& digest) const {
  return folder_ / "done" / (plan + "-" + digest.to_hex());
}

base::Result<std::optional<DoneMark>> StateFolder::done(const std::string& plan,
                                                        const base::Sha256Digest& digest) const {
  const std::filesystem::path path = done_path(plan, digest);
  auto text = io::read_file(path);
  if (!text.ok() && text.error().code() == base::ErrorCode::kNotFound) return std::nullopt;
  if (!text.ok()) return std::move(text).error();
  CLEVER_ASSIGN(DoneMark mark, parse_mark(*text, path));
  return std::optional(std::move(mark));
}

base::Result<void> StateFolder::mark_done(const std::string& plan, const base::Sha256Digest& digest,
                                          const DoneMark& mark) const {
  return io::write_file_atomically(done_path(plan, digest), text_of(mark));
}

base::Result<void> StateFolder::remove_mark(const std::string& plan,
                                            const base::Sha256Digest& digest) const {
  auto removed = io::remove_file(done_path(plan, digest));
  if (!removed.ok() && removed.error().code() != base::ErrorCode::kNotFound) return removed;
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(folder_ / "done"));
  return folder.sync_directory("");
}

}  // namespace clever::apply::internal
