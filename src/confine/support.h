#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "confine/confined_process.h"

namespace clever::confine {

/// One thing that confinement uses, and whether this kernel offers it. A value.
struct Feature {
  std::string name;  // "mount namespaces"
  bool required = false;
  bool available = false;
  std::string detail{};  // "Landlock ABI 7", "refused: kernel.unprivileged_userns_clone is 0"
};

/// What this kernel offers, found out by trying. `agents diagnostics` shows it.
[[nodiscard]] std::vector<Feature> features(const Launcher& launcher);
/// `unavailable` names what is missing of what is required.
[[nodiscard]] base::Result<void> check_required(const std::vector<Feature>& features);

}  // namespace clever::confine
