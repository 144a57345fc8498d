#include "crash/watched_disk.h"

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <new>

namespace clever::storage::crash {

struct WatchedDisk::State {
  sqlite3_vfs vfs;
  sqlite3_vfs* below;
  DiskObserver& observer;
};

namespace {

using State = WatchedDisk::State;

constexpr int kPagesOfFrequentCheckpoints = 16;

/// Lies in memory of SQLite's, followed by the file of the file system below.
struct File {
  sqlite3_file base;
  DiskObserver* observer;  // none for a file that nobody will miss
  std::string* path;
};

File* of(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
sqlite3_file* below(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(of(file) + 1); }
const sqlite3_io_methods& methods(sqlite3_file* file) { return *below(file)->pMethods; }

int close_file(sqlite3_file* file) {
  const int code = methods(file).xClose(below(file));
  delete of(file)->path;
  of(file)->path = nullptr;
  return code;
}
int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  return methods(file).xRead(below(file), to, size, offset);
}
int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (DiskObserver* observer = of(file)->observer) {
    if (const int code = observer->failure(DiskStep::kWrite); code != SQLITE_OK) return code;
    observer->writes(*of(file)->path, offset,
                     {static_cast<const char*>(from), static_cast<std::size_t>(size)});
  }
  return methods(file).xWrite(below(file), from, size, offset);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (DiskObserver* observer = of(file)->observer) {
    if (const int code = observer->failure(DiskStep::kTruncate); code != SQLITE_OK) return code;
    observer->truncates(*of(file)->path, size);
  }
  return methods(file).xTruncate(below(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
  DiskObserver* observer = of(file)->observer;
  if (observer != nullptr) {
    if (const int code = observer->failure(DiskStep::kSync); code != SQLITE_OK) return code;
    observer->syncs(*of(file)->path);
  }
  const int code = methods(file).xSync(below(file), flags);
  if (observer != nullptr && code == SQLITE_OK) observer->synced(*of(file)->path);
  return code;
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return methods(file).xFileSize(below(file), size);
}
int lock_file(sqlite3_file* file, int level) { return methods(file).xLock(below(file), level); }
int unlock_file(sqlite3_file* file, int level) { return methods(file).xUnlock(below(file), level); }
int check_lock(sqlite3_file* file, int* held) {
  return methods(file).xCheckReservedLock(below(file), held);
}
int control_file(sqlite3_file* file, int what, void* argument) {
  return methods(file).xFileControl(below(file), what, argument);
}
int sector_size(sqlite3_file* file) { return methods(file).xSectorSize(below(file)); }
int characteristics(sqlite3_file* file) {
  return methods(file).xDeviceCharacteristics(below(file));
}
int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
  return methods(file).xShmMap(below(file), page, size, extend, at);
}
int lock_shared(sqlite3_file* file, int offset, int count, int flags) {
  return methods(file).xShmLock(below(file), offset, count, flags);
}
void shared_barrier(sqlite3_file* file) { methods(file).xShmBarrier(below(file)); }
int unmap_shared(sqlite3_file* file, int remove) {
  return methods(file).xShmUnmap(below(file), remove);
}

constexpr sqlite3_io_methods kMethods{
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = unmap_shared,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

State& state_of(sqlite3_vfs* vfs) { return *static_cast<State*>(vfs->pAppData); }

int open_file(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* out) {
  State& state = state_of(vfs);
  constexpr int kLogs = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
  const bool lasting = name != nullptr && (flags & (SQLITE_OPEN_MAIN_DB | kLogs)) != 0 &&
                       (flags & SQLITE_OPEN_DELETEONCLOSE) == 0;
  const bool is_new = lasting && !std::filesystem::exists(name);
  if (is_new && (flags & SQLITE_OPEN_CREATE) != 0) {
    if (const int code = state.observer.failure(DiskStep::kCreate); code != SQLITE_OK) return code;
  }
  if (lasting && (!is_new || (flags & SQLITE_OPEN_CREATE) != 0)) {
    state.observer.opens(name, is_new, (flags & kLogs) != 0);
  }
  File* opened = new (file) File{};
  const int code = state.below->xOpen(state.below, name, below(file), flags, out);
  if (code != SQLITE_OK) return code;
  opened->base.pMethods = &kMethods;
  opened->observer = lasting ? &state.observer : nullptr;
  opened->path = new std::string(lasting ? name : "");
  return code;
}

int remove_file(sqlite3_vfs* vfs, const char* name, int sync_folder) {
  State& state = state_of(vfs);
  if (std::filesystem::exists(name)) {
    if (const int code = state.observer.failure(DiskStep::kRemove); code != SQLITE_OK) return code;
    state.observer.removes(name, sync_folder != 0);
  }
  return state.below->xDelete(state.below, name, sync_folder);
}

int begin_statement(unsigned /*kind*/, void* connection, void* /*statement*/, void* /*text*/) {
  return sqlite3_wal_autocheckpoint(static_cast<sqlite3*>(connection), kPagesOfFrequentCheckpoints);
}

// Opening goes on after this and sets what it always sets: the first statement is the next chance.
int checkpoint_often(sqlite3* connection, char** /*error*/, const sqlite3_api_routines* /*api*/) {
  return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, begin_statement, connection);
}

// SQLite declares extensions without their parameters and calls them with these three.
void (*frequent_checkpoints())() { return reinterpret_cast<void (*)()>(checkpoint_often); }

}  // namespace

WatchedDisk::WatchedDisk(DiskObserver& observer) {
  sqlite3_vfs* const unix = sqlite3_vfs_find("unix");
  if (unix == nullptr) std::abort();
  state_ = std::make_unique<State>(State{*unix, unix, observer});
  state_->vfs.zName = "watched";
  state_->vfs.pNext = nullptr;
  state_->vfs.szOsFile = static_cast<int>(sizeof(File)) + unix->szOsFile;
  state_->vfs.pAppData = state_.get();
  state_->vfs.xOpen = open_file;
  state_->vfs.xDelete = remove_file;
  sqlite3_vfs_register(&state_->vfs, 1);
}

WatchedDisk::~WatchedDisk() {
  sqlite3_vfs_unregister(&state_->vfs);
  sqlite3_vfs_register(state_->below, 1);
}

FrequentCheckpoints::FrequentCheckpoints() { sqlite3_auto_extension(frequent_checkpoints()); }
FrequentCheckpoints::~FrequentCheckpoints() {
  sqlite3_cancel_auto_extension(frequent_checkpoints());
}

}  // namespace clever::storage::crash
