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

/// Writes a command's outcome to the file of log.file, filtered by log.level: its warnings and
/// errors, and at level info its end, its exit code and its duration. Does nothing without that
/// setting. Fails if the file cannot be written.
[[nodiscard]] base::Result<void> log_command(const config::Settings& settings,
                                             const base::Clock& clock,
                                             std::shared_ptr<const base::Redactor> redactor,
                                             std::string_view command, const Report& report,
                                             base::Duration duration);

}  // namespace clever::cli
