#include "confine/internal/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "io/file_descriptor.h"
#include "io/kernel_probe.h"
#include "io/system_error.h"

// Distributions ship older headers than their kernels support, so the interface is declared here,
// as in Documentation/userspace-api/landlock.rst of Linux.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace clever::confine::internal {
namespace {

struct Ruleset {
  std::uint64_t handled_files = 0;
  std::uint64_t handled_network = 0;  // ABI 4
  std::uint64_t scoped = 0;           // ABI 6
};

struct [[gnu::packed]] BeneathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

constexpr int kRuleBeneath = 1;
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kRemoveAndMake = 0x1ff0;     // REMOVE_DIR … MAKE_SYM
constexpr std::uint64_t kRefer = 1U << 13U;          // ABI 2
constexpr std::uint64_t kTruncate = 1U << 14U;       // ABI 3
constexpr std::uint64_t kDeviceControl = 1U << 15U;  // ABI 5
constexpr std::uint64_t kScopeSockets = 1U;
constexpr std::uint64_t kScopeSignals = 2U;
// Creating devices, which our folders must not contain.
constexpr std::uint64_t kMakeDevices = (1U << 6U) | (1U << 11U);

std::uint64_t writes(int abi) {
  std::uint64_t rights = kWriteFile | kRemoveAndMake;
  if (abi >= 2) rights |= kRefer;
  if (abi >= 3) rights |= kTruncate;
  if (abi >= 5) rights |= kDeviceControl;
  return rights;
}

std::size_t ruleset_size(int abi) {
  if (abi >= 6) return sizeof(Ruleset);
  return abi >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

base::Result<void> allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
  const io::FileDescriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) {
    if (errno == ENOENT) return {};
    return io::system_error(errno, "cannot open " + path.string());
  }
  struct stat facts{};
  if (::fstat(place.number(), &facts) == 0 && !S_ISDIR(facts.st_mode)) {
    rights &= kWriteFile | kTruncate | kDeviceControl;
  }
  const BeneathRule rule{.allowed = rights, .folder = place.number()};
  if (::syscall(SYS_landlock_add_rule, ruleset, kRuleBeneath, &rule, 0) == 0) return {};
  return io::system_error(errno, "cannot allow writing below " + path.string());
}

}  // namespace

base::Result<void> restrict_writes(const std::vector<std::filesystem::path>& writable) {
  const int abi = io::landlock_abi();
  if (abi == 0) return {};
  const std::uint64_t all = writes(abi);
  const Ruleset wanted{.handled_files = all,
                       .handled_network = 0,
                       .scoped = abi >= 6 ? kScopeSockets | kScopeSignals : 0};
  const io::FileDescriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &wanted, ruleset_size(abi), 0)));
  if (!ruleset.valid()) return io::system_error(errno, "cannot create Landlock rules");
  for (const auto& path : writable) {
    CLEVER_TRY(allow(ruleset.number(), path, all & ~kMakeDevices));
  }
  CLEVER_TRY(allow(ruleset.number(), "/dev", all & (kWriteFile | kTruncate | kDeviceControl)));
  if (::syscall(SYS_landlock_restrict_self, ruleset.number(), 0) == 0) return {};
  return io::system_error(errno, "cannot enforce Landlock rules");
}

}  // namespace clever::confine::internal
