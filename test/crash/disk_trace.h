#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/random.h"
#include "crash/report.h"
#include "crash/watched_disk.h"

namespace clever::storage::crash {

/// What a disk was told, in order, and between it what the load reported. A value.
struct DiskCall {
  enum class Kind : std::uint8_t {
    kOpen,    // a file that was there, with its content
    kCreate,  // a name for a new file
    kRemove,  // a name is no more
    kWrite,
    kTruncate,
    kSync,        // all calls to the file before `covers` are on the disk for good
    kSyncFolder,  // all names are
    kReport,
  };
  Kind kind = Kind::kReport;
  int file = 0;
  std::string path{};
  std::int64_t offset = 0;  // kTruncate: the size
  std::string bytes{};
  std::size_t covers = 0;
  Report report{};
};
using DiskCalls = std::vector<DiskCall>;

/// Records a load, so that the power can be cut after any of its calls without running it again.
/// Thread-safe.
class DiskTrace final : public DiskObserver {
 public:
  /// A disk that lies about a file says that it has synced it, and has not: about all files whose
  /// names end so. Nothing: an honest disk.
  explicit DiskTrace(std::string lies_about = "") : lies_about_(std::move(lies_about)) {}

  void opens(const std::string& path, bool is_new, bool log) override;
  void writes(const std::string& path, std::int64_t offset, std::string_view bytes) override;
  void truncates(const std::string& path, std::int64_t size) override;
  void syncs(const std::string& path) override;
  void synced(const std::string& path) override;
  void removes(const std::string& path, bool sync_folder) override;
  void reported(const Report& report);

  [[nodiscard]] DiskCalls take();

 private:
  struct Known {
    DiskCalls calls;
    std::map<std::string, int> files;
    std::map<std::string, std::size_t> syncing;
    std::map<std::string, bool> name_is_new;
    int last_file = 0;
  };

  const std::string lies_about_;
  base::Guarded<Known> known_;
};

/// How a disk treats what it was not asked to sync.
enum class Loss : std::uint8_t { kAll, kNothing, kAfterSome, kWrites, kSectors };
[[nodiscard]] Loss any_loss(base::Random& random);

/// Writes into `folder` what a disk may hold if the power goes after the first `cut` calls: all
/// that was synced, and of the rest what the loss leaves and the random numbers choose: whole
/// writes, or some of their sectors. Files keep the last part of their names.
void cut_power(const DiskCalls& calls, std::size_t cut, Loss loss, base::Random& random,
               const std::filesystem::path& folder);

/// What was reported before the cut.
[[nodiscard]] std::vector<Report> reports_before(const DiskCalls& calls, std::size_t cut);

}  // namespace clever::storage::crash
