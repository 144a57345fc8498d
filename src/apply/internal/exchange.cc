#include "apply/internal/exchange.h"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <set>

#include "apply/internal/image.h"
#include "apply/internal/pause.h"
#include "base/crash_point.h"
#include "git/tree_path.h"

namespace clever::apply::internal {
namespace {

using base::ErrorCode;

// How long another program may have a file open for writing before it counts as in use.
constexpr base::Duration kWriterPatience = std::chrono::milliseconds{200};
constexpr mode_t kFolderMode = 0777;

bool creates(const Operation& operation) { return operation.before.kind == Image::Kind::kNothing; }
bool removes(const Operation& operation) { return operation.after.kind == Image::Kind::kNothing; }

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool is_at_or_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Returns what a refusal by the file system means for the path, or nothing for other errors.
std::optional<MovedOn> moved_on(const base::Error& error, const std::string& path) {
  switch (error.code()) {
    case ErrorCode::kNotFound:
      return MovedOn{path, "is gone"};
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict:
      return MovedOn{path, "was created meanwhile"};
    default:
      return std::nullopt;
  }
}

bool is_expected(const base::Result<void>& result) {
  return result.ok() || result.error().code() == ErrorCode::kNotFound ||
         result.error().code() == ErrorCode::kConflict ||
         result.error().code() == ErrorCode::kInvalidArgument;
}

// Describes what the path, and the name beside it, hold now.
std::string words_for_present(const Operation& operation, const Image& present) {
  if (present.kind == Image::Kind::kNothing) return "was deleted meanwhile";
  if (present == operation.before) return "is unchanged";
  const bool over_ours = operation.after.kind != Image::Kind::kNothing;
  return over_ours ? "has content saved meanwhile, maybe with the plan's change in it"
                   : "has content saved meanwhile";
}

std::string words_for_kept(const Operation& operation, const Image& kept) {
  if (kept == operation.before) return "is the file as it was before";
  if (kept == operation.after) return "is the plan's version, which a program has open for writing";
  return "is another version of it that was saved meanwhile";
}

std::string saved_into(const std::string& path) {
  return git::printable(path) +
         " is new, and has content saved meanwhile, maybe with the plan's text in it";
}

}  // namespace

std::string Exchange::slot(const Beginning& beginning, std::size_t index) {
  return beginning.staging + "/files/" + std::to_string(index);
}

base::Result<std::optional<MovedOn>> Exchange::forward() const {
  // Removals first: a file may replace a folder of its name, and a folder a file.
  CLEVER_ASSIGN(std::optional<MovedOn> stopped, put_all(/*creations=*/false));
  if (stopped) return stopped;
  CLEVER_TRY(clear_ways());
  auto made = make_folders();
  if (!made.ok()) {
    if (made.error().code() != ErrorCode::kAlreadyExists) return std::move(made).error();
    return std::optional(MovedOn{staged_.made_folders.front(), "was created meanwhile"});
  }
  CLEVER_ASSIGN(stopped, put_all(/*creations=*/true));
  if (stopped) return stopped;
  CLEVER_TRY(remove_emptied());
  return std::nullopt;
}

base::Result<std::optional<MovedOn>> Exchange::put_all(bool creations) const {
  for (std::size_t index = 0; index < staged_.operations.size(); ++index) {
    if (creates(staged_.operations[index]) != creations) continue;
    base::crash_point("apply.exchange");
    CLEVER_ASSIGN(std::optional<MovedOn> stopped, put(index));
    if (stopped) return stopped;
  }
  return std::nullopt;
}

base::Result<std::optional<MovedOn>> Exchange::put(std::size_t index) const {
  const Operation& operation = staged_.operations[index];
  const std::string beside = slot(index);
  auto moved = creates(operation)   ? root_.move_new(beside, operation.path)
               : removes(operation) ? root_.move_new(operation.path, beside)
                                    : root_.exchange(operation.path, beside);
  if (moved.ok()) return std::nullopt;
  if (auto reason = moved_on(moved.error(), operation.path)) return reason;
  return std::move(moved).error();
}

base::Result<void> Exchange::make_folders() const {
  for (const std::string& folder : staged_.made_folders) {
    base::crash_point("apply.make_folder");
    CLEVER_TRY(root_.make_directories(folder, kFolderMode));
  }
  return {};
}

// Removes folders that became empty and whose name a new file takes.
base::Result<void> Exchange::clear_ways() const {
  for (const EmptiedFolder& folder : staged_.emptied_folders) {
    const bool in_the_way =
        std::ranges::any_of(staged_.operations, [&](const Operation& operation) {
          return creates(operation) && is_at_or_below(folder.path, operation.path);
        });
    if (in_the_way) CLEVER_TRY(remove_if_empty(folder.path));
  }
  return {};
}

base::Result<void> Exchange::remove_emptied() const {
  for (const EmptiedFolder& folder : staged_.emptied_folders) {
    base::crash_point("apply.remove_folder");
    CLEVER_TRY(remove_if_empty(folder.path));
  }
  return {};
}

base::Result<void> Exchange::remove_if_empty(const std::string& folder) const {
  auto removed = root_.remove_directory(folder);
  if (is_expected(removed)) return {};
  return removed;
}

// Returns true once no process can change the file: it has no public name, and no process that
// opened it by its old name still writes.
base::Result<bool> Exchange::is_final(const std::string& path) const {
  CLEVER_ASSIGN(const io::EntryFacts facts, root_.facts(path));
  if (facts.kind != io::EntryFacts::Kind::kFile) return true;
  Pause pause(kWriterPatience, {}, base::Deadline::never());
  while (true) {
    CLEVER_ASSIGN(const bool written, root_.is_being_written(path));
    if (!written) return true;
    if (!pause.again()) return false;
  }
}

base::Result<std::vector<MovedOn>> Exchange::verify() const {
  std::vector<MovedOn> moved;
  for (std::size_t index = 0; index < staged_.operations.size(); ++index) {
    const Operation& operation = staged_.operations[index];
    if (creates(operation)) continue;
    base::crash_point("apply.verify");
    CLEVER_ASSIGN(const bool final, is_final(slot(index)));
    if (!final) {
      moved.push_back({operation.path, "is open for writing in another program"});
      continue;
    }
    CLEVER_ASSIGN(const Image out, image_at(root_, slot(index)));
    if (out != operation.before) moved.push_back({operation.path, "changed since"});
  }
  return moved;
}

base::Result<void> Exchange::sync() const {
  std::set<std::string> folders = {beginning_.staging + "/files"};
  for (const Operation& operation : staged_.operations) {
    folders.emplace(folder_of(operation.path));
  }
  for (const std::string& folder : staged_.made_folders) folders.emplace(folder_of(folder));
  for (const EmptiedFolder& folder : staged_.emptied_folders) {
    folders.emplace(folder_of(folder.path));
  }
  for (const std::string& folder : folders) {
    auto synced = root_.sync_directory(folder);
    // Removed, or a file now: syncing the folder above covers it.
    if (!synced.ok() && synced.error().code() != ErrorCode::kNotFound) return synced;
  }
  return {};
}

base::Result<std::vector<std::string>> Exchange::roll_back() const {
  std::vector<std::string> remarks;
  const auto take = [&](bool removals) -> base::Result<void> {
    for (std::size_t index = staged_.operations.size(); index-- > 0;) {
      if (removes(staged_.operations[index]) != removals) continue;
      base::crash_point("apply.back");
      CLEVER_ASSIGN(std::optional<std::string> remark, take_back(index));
      if (remark) remarks.push_back(std::move(*remark));
    }
    return {};
  };
  CLEVER_TRY(take(/*removals=*/false));
  for (const std::string& folder : staged_.made_folders | std::views::reverse) {
    CLEVER_TRY(remove_if_empty(folder));
  }
  CLEVER_TRY(restore_folders());
  CLEVER_TRY(take(/*removals=*/true));
  CLEVER_TRY(sync());
  return remarks;
}

base::Result<std::optional<std::string>> Exchange::take_back(std::size_t index) const {
  const Operation& operation = staged_.operations[index];
  if (creates(operation)) return take_back_creation(index);
  return removes(operation) ? take_back_removal(index) : take_back_change(index);
}

base::Result<std::optional<std::string>> Exchange::take_back_change(std::size_t index) const {
  const Operation& operation = staged_.operations[index];
  CLEVER_ASSIGN(const Image beside, image_at(root_, slot(index)));
  // Our version is still there (or equals the old one): nothing to restore.
  if (beside == operation.after || beside.kind == Image::Kind::kNothing) return std::nullopt;
  CLEVER_ASSIGN(const Image present, image_at(root_, operation.path));
  if (present == beside) return std::nullopt;
  if (present != operation.after) return keep(index);
  base::crash_point("apply.take_back");
  auto exchanged = root_.exchange(operation.path, slot(index));
  if (!exchanged.ok() && exchanged.error().code() == ErrorCode::kNotFound) return keep(index);
  if (!exchanged.ok()) return std::move(exchanged).error();
  base::crash_point("apply.taken_back");
  CLEVER_ASSIGN(const bool final, is_final(slot(index)));
  CLEVER_ASSIGN(const Image out, image_at(root_, slot(index)));
  if (final && out == operation.after) return std::nullopt;
  // A save came just before: restore it where the user saved it.
  if (out != operation.after) {
    static_cast<void>(root_.exchange(operation.path, slot(index)));
  }
  return keep(index);
}

base::Result<std::optional<std::string>> Exchange::take_back_creation(std::size_t index) const {
  const Operation& operation = staged_.operations[index];
  CLEVER_ASSIGN(const Image beside, image_at(root_, slot(index)));
  if (beside.kind != Image::Kind::kNothing) return std::nullopt;
  CLEVER_ASSIGN(const Image present, image_at(root_, operation.path));
  if (present.kind == Image::Kind::kNothing) return std::nullopt;
  if (present != operation.after) return std::optional(saved_into(operation.path));
  base::crash_point("apply.take_back");
  auto moved = root_.move_new(operation.path, slot(index));
  if (!moved.ok() && moved.error().code() == ErrorCode::kNotFound) return std::nullopt;
  CLEVER_TRY(std::move(moved));
  base::crash_point("apply.taken_back");
  CLEVER_ASSIGN(const bool final, is_final(slot(index)));
  CLEVER_ASSIGN(const Image out, image_at(root_, slot(index)));
  if (final && out == operation.after) return std::nullopt;
  if (root_.move_new(slot(index), operation.path).ok()) {
    return std::optional(saved_into(operation.path));
  }
  return keep(index);
}

base::Result<std::optional<std::string>> Exchange::take_back_removal(std::size_t index) const {
  const Operation& operation = staged_.operations[index];
  CLEVER_ASSIGN(const Image beside, image_at(root_, slot(index)));
  if (beside.kind == Image::Kind::kNothing) return std::nullopt;
  auto moved = root_.move_new(slot(index), operation.path);
  if (moved.ok()) return std::nullopt;
  CLEVER_ASSIGN(const Image present, image_at(root_, operation.path));
  if (present == beside) return std::nullopt;
  return keep(index);
}

// Gives the slot's content a name beside the path, or at the root if that is impossible, and says
// which of the two holds what.
base::Result<std::optional<std::string>> Exchange::keep(std::size_t index) const {
  const Operation& operation = staged_.operations[index];
  CLEVER_ASSIGN(const Image present, image_at(root_, operation.path));
  CLEVER_ASSIGN(const Image beside, image_at(root_, slot(index)));
  std::string kept = operation.path + ".saved-" + beginning_.id;
  if (!root_.move_new(slot(index), kept).ok()) {
    kept = "saved-" + beginning_.id + "-" + std::to_string(index);
    CLEVER_TRY(root_.move_new(slot(index), kept)
                   .context("keeping the other version of " + operation.path));
  }
  return std::optional(git::printable(operation.path) + " " +
                       words_for_present(operation, present) + ", and " + git::printable(kept) +
                       " " + words_for_kept(operation, beside));
}

base::Result<void> Exchange::restore_folders() const {
  for (const EmptiedFolder& folder : staged_.emptied_folders | std::views::reverse) {
    if (root_.facts(folder.path).ok()) continue;
    auto made = root_.make_directories(folder.path, kFolderMode);
    if (made.ok()) made = root_.set_mode(folder.path, folder.mode);
    // Another process created something here: keep the files that belong below it apart.
    if (!made.ok() && made.error().code() != ErrorCode::kAlreadyExists &&
        made.error().code() != ErrorCode::kPermissionDenied) {
      return made;
    }
  }
  return {};
}

}  // namespace clever::apply::internal
