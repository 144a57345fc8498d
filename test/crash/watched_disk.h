#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace clever::storage::crash {

enum class DiskStep : std::uint8_t { kCreate, kWrite, kTruncate, kSync, kRemove };

/// Hears what SQLite is about to change on disk, and may have it fail. Called by whatever thread
/// works.
class DiskObserver {
 public:
  virtual ~DiskObserver() = default;
  /// A file is opened; `is_new` if it was not there. `log`: the folder is synced with the file's
  /// first sync if it is new.
  virtual void opens(const std::string& path, bool is_new, bool log) = 0;
  virtual void writes(const std::string& path, std::int64_t offset, std::string_view bytes) = 0;
  virtual void truncates(const std::string& path, std::int64_t size) = 0;
  virtual void syncs(const std::string& path) = 0;
  /// That sync is over.
  virtual void synced(const std::string& path) = 0;
  virtual void removes(const std::string& path, bool sync_folder) = 0;
  /// Asked before each of them: the call fails with this result code of SQLite's, if it is not 0.
  virtual int failure(DiskStep /*call*/) { return 0; }
};

/// As long as it lives, SQLite in this process works on its files through the observer; connections
/// must be opened and closed meanwhile. The product is as it is.
class WatchedDisk {
 public:
  explicit WatchedDisk(DiskObserver& observer);
  ~WatchedDisk();
  WatchedDisk(const WatchedDisk&) = delete;
  WatchedDisk& operator=(const WatchedDisk&) = delete;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// As long as it lives, the log of every connection that is opened goes into the database after so
/// many pages, not after SQLite's thousand: small loads meet what large ones do.
class FrequentCheckpoints {
 public:
  FrequentCheckpoints();
  ~FrequentCheckpoints();
  FrequentCheckpoints(const FrequentCheckpoints&) = delete;
  FrequentCheckpoints& operator=(const FrequentCheckpoints&) = delete;
};

}  // namespace clever::storage::crash
