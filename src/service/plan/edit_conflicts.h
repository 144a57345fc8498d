#pragma once
// A person resolves conflicts in an editor. Private to the module and the command line.
#include <string>
#include <vector>

#include "base/result.h"
#include "service/commands/plan.h"
#include "service/report.h"

namespace clever::service {

struct HandResolved {
  plan::State state{};
  /// The files that the person resolved, and those that still have a conflict.
  std::vector<std::string> resolved{};
  std::vector<std::string> open{};
  /// Both in words, for a line.
  std::string sentence{};
};

/// Opens each file with a conflict in the person's editor; what comes back without markers is
/// resolved, validated and sealed. A file whose markers stay is left as it is. `conflict` if no
/// conflict is open, `unavailable` without a terminal.
[[nodiscard]] base::Result<HandResolved> resolve_by_hand(const MeantPlan& plan, Context& context,
                                                         const Screen::Foreground& run);

/// The same, with its report.
[[nodiscard]] base::Result<Report> edit_conflicts(const MeantPlan& plan, Context& context);

}  // namespace clever::service
