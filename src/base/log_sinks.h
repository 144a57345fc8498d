#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "base/log.h"
#include "base/log_format.h"

namespace clever::base {

/// Writes each record as one line to an open file descriptor, which must stay open for the sink's
/// life. Lines of several threads never mix.
[[nodiscard]] std::shared_ptr<LogSink> descriptor_log_sink(int descriptor, LogFormat format);

/// Standard error.
[[nodiscard]] std::shared_ptr<LogSink> stderr_log_sink(LogFormat format);

struct LogFileOptions {
  std::filesystem::path path;
  LogFormat format = LogFormat::kJson;
  /// The size at which agents.log becomes agents.1.log, and so on.
  std::uint64_t max_bytes = 10ULL << 20U;
  /// How many old files are kept.
  std::size_t old_files = 5;
};

/// Writes each record as one line to a file that only its owner may read, and passes every line to
/// the kernel at once, so that a crash of this process loses none. After a failure (a full disk, a
/// vanished folder) records are refused, and the file is tried again at most once a second. The
/// clock must outlive the sink.
[[nodiscard]] Result<std::shared_ptr<LogSink>> file_log_sink(const LogFileOptions& options,
                                                             const Clock& clock);

}  // namespace clever::base
