#include "io/kernel_probe.h"

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "io/file.h"

namespace clever::io {
namespace {

// From linux/landlock.h, which older distributions lack.
constexpr unsigned kCreateRulesetVersion = 1U;

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

}  // namespace

std::string kernel_name() {
  utsname names{};
  static_cast<void>(::uname(&names));
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

int landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateRulesetVersion);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

std::string_view to_string(ControlGroups groups) noexcept {
  switch (groups) {
    case ControlGroups::kV1:
      return "version 1";
    case ControlGroups::kV2:
      return "version 2";
    case ControlGroups::kHybrid:
      return "version 1 with version 2 beside it";
    case ControlGroups::kNone:
      break;
  }
  return "none";
}

ControlGroups control_groups(const std::filesystem::path& root) {
  const auto there = [&root](const char* name) {
    return file_kind(root / name) != FileKind::kMissing;
  };
  if (there("cgroup.controllers")) return ControlGroups::kV2;
  if (there("unified/cgroup.controllers")) return ControlGroups::kHybrid;
  return there("memory") || there("pids") || there("cpu") ? ControlGroups::kV1
                                                          : ControlGroups::kNone;
}

}  // namespace clever::io
