#pragma once
#include <chrono>
#include <string_view>

#include "base/clock.h"
#include "cli/report.h"
#include "model/document.h"

namespace clever::cli {

using model::Document;

struct Timing {
  base::WallTime started;
  base::Duration duration{};
};

/// The shape of every answer to a program: command, status, exit_code, data,
/// timing{started, duration_ms}, messages[{level, text}].
[[nodiscard]] Document envelope(std::string_view command, const Report& report,
                                const Timing& timing);

/// "2026-01-31T09:05:07.120Z"
[[nodiscard]] std::string timestamp(base::WallTime time);

}  // namespace clever::cli
