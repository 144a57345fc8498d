#pragma once
// The demo from its first step to the last. Private to the module.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/state.h"
#include "service/context.h"
#include "service/demo/demo_copy.h"

namespace clever::service {

struct DemoOptions {
  /// With the person's own provider in place of the script.
  bool live = false;
  /// Leaves the folder behind.
  bool keep = false;
};

/// What the demo saw. A value.
struct DemoOutcome {
  bool live = false;
  std::filesystem::path project{};
  bool kept = false;
  DemoTests tests_before{};
  DemoTests tests_after{};
  /// The plan at its end, before apply.
  plan::State plan{};
  /// Of the whole tree of plans.
  std::int64_t answers = 0;
  struct Kill {
    std::int64_t process = 0;
    std::int64_t steps_done = 0;
    std::int64_t steps = 0;
  };
  /// Absent: it had finished before it could be killed.
  std::optional<Kill> kill{};
  /// The undisturbed run of the same plan; absent with a live model, which never answers the same
  /// twice.
  struct Undisturbed {
    std::string tree{};
    std::string digest{};
    std::int64_t answers = 0;
  };
  std::optional<Undisturbed> undisturbed{};
  /// Unified, of the whole plan.
  std::string diff{};
  std::string commit{};
  /// Of the commit.
  std::string tree{};
  std::int64_t duration_ms = 0;

  [[nodiscard]] std::string digest() const;
  [[nodiscard]] bool same_as_undisturbed() const;
};

[[nodiscard]] base::Result<DemoOutcome> run_demo(const DemoOptions& options, Context& context);

}  // namespace clever::service
