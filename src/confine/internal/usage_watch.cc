#include "confine/internal/usage_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <set>

#include "confine/internal/remarks.h"
#include "io/file_descriptor.h"
namespace clever::confine::internal {
namespace {

// The pause between two looks. A look costs some 10 µs per process.
constexpr std::chrono::nanoseconds kPause = std::chrono::milliseconds{100};
constexpr std::chrono::nanoseconds kPausePerProcess = std::chrono::microseconds{200};

// Reads the beginning of a file of /proc. Empty if the process has ended.
std::string beginning_of(const std::string& path) {
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 2048> bytes;
  const ssize_t count = file.valid() ? ::read(file.number(), bytes.data(), bytes.size()) : 0;
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

// All processes but number 1, the watcher itself.
std::vector<std::string> process_numbers() {
  std::vector<std::string> numbers;
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> folder(::opendir("/proc"), close);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    const bool number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (number && name != "1") numbers.emplace_back(name);
  }
  return numbers;
}

std::uint64_t number_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "Pss_Anon:      1234 kB"
std::uint64_t bytes_of_line(std::string_view rollup, std::string_view name) {
  const std::string wanted = "\n" + std::string(name) + ":";
  const std::size_t begin = rollup.find(wanted);
  return begin == rollup.npos ? 0 : number_in(rollup.substr(begin + wanted.size())) << 10U;
}

std::uint64_t page_size() {
  static const auto kSize = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return kSize;
}

std::uint64_t resident_bytes(const std::string& process) {
  return resident_pages(beginning_of("/proc/" + process + "/statm")) * page_size();
}

// For a process that cannot be inspected, all resident memory counts.
void add_process(const std::string& process, Usage& usage) {
  const std::string rollup = beginning_of("/proc/" + process + "/smaps_rollup");
  if (rollup.empty()) {
    usage.own += resident_bytes(process);
  } else {
    add_rollup(rollup, usage);
  }
}

}  // namespace

std::uint64_t Usage::memory() const noexcept { return own + std::max(shared, files); }

std::uint64_t resident_pages(std::string_view statm) {
  const std::size_t blank = statm.find(' ');
  return blank == statm.npos ? 0 : number_in(statm.substr(blank));
}

void add_rollup(std::string_view rollup, Usage& usage) {
  usage.own += bytes_of_line(rollup, "Pss_Anon") + bytes_of_line(rollup, "SwapPss");
  usage.shared += bytes_of_line(rollup, "Pss_Shmem");
}

base::Result<UsageWatch> UsageWatch::create(const Command& command) {
  const Limits& limits = command.limits;
  // The kernel counts the processes of every user but root.
  const bool counts = limits.processes > 0 && ::geteuid() == 0;
  UsageWatch watch;
  if (limits.total_memory == 0 && !counts) return watch;
  watch.limits_ = limits;
  watch.in_memory_ = {"/tmp", "/var/tmp", "/dev/shm", "/run"};
  for (const Mount& mount : command.mounts) {
    if (mount.kind == Mount::Kind::kTemporary) watch.in_memory_.push_back(mount.target);
  }
  CLEVER_ASSIGN(watch.timer_, LookTimer::create(kPause));
  return watch;
}

std::optional<std::string> UsageWatch::look() {
  if (!timer_.due()) return std::nullopt;
  const auto processes = process_numbers();
  timer_.set(kPause + (static_cast<std::int64_t>(processes.size()) * kPausePerProcess));
  if (limits_.processes > 0 && processes.size() > limits_.processes) {
    return "had more processes than sandbox.processes allows (" +
           std::to_string(limits_.processes) + ") and was ended";
  }
  if (limits_.total_memory == 0 || !memory_exceeded(processes)) return std::nullopt;
  return "used more memory than sandbox.memory allows (" + size_text(limits_.total_memory) +
         ", all its processes together) and was ended";
}

// First checks an upper bound, which is cheap. Only beyond the limit looks up how much forked
// processes share, which takes time in proportion to their pages.
bool UsageWatch::memory_exceeded(const std::vector<std::string>& processes) const {
  Usage usage{.files = bytes_in_files()};
  std::uint64_t resident = 0;
  for (const std::string& process : processes) resident += resident_bytes(process);
  if (resident + usage.files <= limits_.total_memory) return false;
  for (const std::string& process : processes) add_process(process, usage);
  return usage.memory() > limits_.total_memory;
}

std::uint64_t UsageWatch::bytes_in_files() const {
  std::uint64_t bytes = 0;
  std::set<dev_t> seen;
  for (const auto& place : in_memory_) {
    struct stat status{};
    struct statfs facts{};
    if (::stat(place.c_str(), &status) != 0 || ::statfs(place.c_str(), &facts) != 0) continue;
    if (facts.f_type != TMPFS_MAGIC || !seen.insert(status.st_dev).second) continue;
    bytes += (facts.f_blocks - facts.f_bfree) * static_cast<std::uint64_t>(facts.f_bsize);
  }
  return bytes;
}

}  // namespace clever::confine::internal
