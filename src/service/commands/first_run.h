#pragma once
// The first time that a person starts the program. Private to the module.
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "service/context.h"

namespace clever::service {

/// One way to work, and the settings that choose it. A value.
struct WorkChoice {
  /// "anthropic/claude-sonnet-5", "claude"
  std::string name{};
  /// "the key in ANTHROPIC_API_KEY"
  std::string why{};
  std::vector<std::pair<std::string, std::string>> settings{};

  friend bool operator==(const WorkChoice&, const WorkChoice&) = default;
};

/// Models whose key is in the environment, installed agents with a login, and models on this
/// machine, in that order. Blocks for seconds; changes nothing.
[[nodiscard]] base::Result<std::vector<WorkChoice>> ways_to_work(Context& context);

/// At a terminal, as long as the person has no settings file and nothing says what works: proposes
/// what ways_to_work() finds, and writes what the person chooses. Else does nothing. Pipes are
/// never asked.
base::Result<void> guide_first_run(Context& context);

}  // namespace clever::service
