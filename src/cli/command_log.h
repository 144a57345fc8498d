#pragma once
#include <chrono>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/redact.h"
#include "base/result.h"
#include "cli/words.h"
#include "config/settings.h"
#include "service/report.h"

namespace clever::cli {

/// Records what a command line came to in the file that log.file names, from log.level on: its
/// warnings and errors, and at level info that it ended, how and how long it took. Does nothing
/// without that setting. Fails if the file cannot be written.
[[nodiscard]] base::Result<void> log_command(const config::Settings& settings,
                                             const base::Clock& clock,
                                             std::shared_ptr<const base::Redactor> redactor,
                                             std::string_view command, const Report& report,
                                             base::Duration duration);

}  // namespace clever::cli
