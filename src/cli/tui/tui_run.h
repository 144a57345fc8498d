#pragma once
// Private to the module.
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/live/attention.h"
#include "cli/words.h"
#include "git/project.h"
#include "io/owned_terminal.h"
#include "service/context.h"
#include "service/plan/workplace.h"

namespace clever::cli {

struct TuiOptions {
  /// The folder whose plans are shown; empty: all.
  std::string project{};
  /// How plans that are driven from here get their answers.
  service::WorkplaceOptions answers{};
  /// Where new plans work; none: this folder is no project.
  std::optional<git::Project> here{};
  Notify notify = Notify::kBell;
  Theme theme = Theme::kDefault;
  bool unicode = true;
};

/// The full-screen view, until the person leaves it or the command is interrupted. Plans that it
/// drives and that are still at work are left to a process in the background.
[[nodiscard]] base::Result<void> run_tui(const service::PlanDatabase& database,
                                         io::OwnedTerminal& terminal, const TuiOptions& options,
                                         Context& context);

}  // namespace clever::cli
