#pragma once
#include <chrono>
#include <string_view>

#include "base/clock.h"
#include "cli/words.h"
#include "model/document.h"
#include "service/report.h"

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

}  // namespace clever::cli
