#include "cli/diagnostics/sections.h"
#include "io/find_program.h"
#include "io/kernel_probe.h"

namespace clever::cli {
namespace {

using Check = Checks::Check;

Check landlock() {
  const int abi = io::landlock_abi();
  if (abi == 0) {
    return {"landlock", Verdict::kWarn, "not offered", "commands are confined less tightly"};
  }
  // Before the third version a file outside could still be emptied.
  constexpr int kTruncateCovered = 3;
  const std::string detail = "ABI " + std::to_string(abi);
  if (abi < kTruncateCovered) {
    return {"landlock", Verdict::kWarn, detail + " does not cover truncation",
            "use a newer kernel"};
  }
  return {"landlock", Verdict::kOk, detail, ""};
}

Check user_namespaces() {
  const auto tried = io::try_user_namespace();
  if (tried.ok()) return {"user namespaces", Verdict::kOk, "work", ""};
  return {"user namespaces", Verdict::kWarn, tried.error().sentence(),
          "allow them: sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone"};
}

Check seccomp() {
  const bool offered = io::has_seccomp_filters();
  return {"seccomp", offered ? Verdict::kOk : Verdict::kWarn,
          offered ? "filters work" : "filters are not offered", ""};
}

Check bubblewrap(Context& context) {
  const auto program = io::find_program("bwrap", context.environment());
  if (program) return {"bubblewrap", Verdict::kOk, program->string(), ""};
  return {"bubblewrap", Verdict::kWarn, "bwrap is not in PATH", "install bubblewrap"};
}

}  // namespace

Checks check_confinement(Context& context) {
  const std::string groups(io::to_string(io::control_groups()));
  return {"confinement",
          {landlock(),
           user_namespaces(),
           seccomp(),
           {"control groups", Verdict::kOk, groups, ""},
           bubblewrap(context)}};
}

}  // namespace clever::cli
