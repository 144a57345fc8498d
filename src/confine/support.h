#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "confine/confined_process.h"

namespace clever::confine {

/// A feature that confinement uses, and whether this kernel has it. A value.
struct Feature {
  std::string name;  // "mount namespaces"
  bool required = false;
  bool available = false;
  std::string detail{};  // "Landlock ABI 7", "refused: kernel.unprivileged_userns_clone is 0"
};

/// Probes this kernel's features. `agents diagnostics` shows them.
[[nodiscard]] std::vector<Feature> features(const Launcher& launcher);
/// `unavailable` names the missing required features.
[[nodiscard]] base::Result<void> check_required(const std::vector<Feature>& features);

}  // namespace clever::confine
