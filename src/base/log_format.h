#pragma once
#include <cstdint>
#include <string>

#include "base/log.h"

namespace clever::base {

enum class LogFormat : std::uint8_t { kText, kColouredText, kJson };

/// One line without its end, for people: 2026-11-15T16:12:10.123Z info plan started plan=01…
/// attempt=2. No record can end the line or control the terminal: control characters are written as
/// \n, \t or \u001b.
[[nodiscard]] std::string format_text(const LogRecord& record, bool coloured = false);

/// One line without its end, for programs: {"time":"…","level":"info","message":"…","plan":"01…"}.
/// A field named time, level or message gets an underscore at the end.
[[nodiscard]] std::string format_json(const LogRecord& record);

[[nodiscard]] std::string format(const LogRecord& record, LogFormat format);

/// 2026-11-15T16:12:10.123Z
[[nodiscard]] std::string format_time(WallTime time);

}  // namespace clever::base
