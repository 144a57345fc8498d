#include "cli/command_log.h"

#include "base/check.h"
#include "base/log.h"
#include "base/log_sinks.h"
#include "io/process.h"

namespace clever::cli {
namespace {

base::LogLevel level_of(Message::Level level) noexcept {
  if (level == Message::Level::kError) return base::LogLevel::kError;
  return level == Message::Level::kWarning ? base::LogLevel::kWarning : base::LogLevel::kInfo;
}

}  // namespace

base::Result<void> log_command(const config::Settings& settings, const base::Clock& clock,
                               std::shared_ptr<const base::Redactor> redactor,
                               std::string_view command, const Report& report,
                               base::Duration duration) {
  const std::string file = settings.text("log.file");
  const auto level = base::log_level_from_string(settings.text("log.level"));
  CLEVER_CHECK(level.has_value(), "log.level allows a level that the logger does not know");
  if (file.empty() || *level == base::LogLevel::kOff) return {};
  CLEVER_ASSIGN(auto sink, base::file_log_sink({.path = file}, clock));
  const base::Logger logger = base::Logger(clock, std::move(redactor), {std::move(sink)}, *level)
                                  .with({{"command", command}, {"process", io::process_number()}});
  for (const Message& message : report.messages)
    logger.log(level_of(message.level), message.text, {});
  using Milliseconds = std::chrono::duration<double, std::milli>;
  logger.info("command ended", {{"exit_code", static_cast<std::int64_t>(report.exit_code)},
                                {"duration_ms", Milliseconds(duration).count()}});
  if (logger.dropped() > 0) return base::unavailable("cannot write the log file " + file);
  return {};
}

}  // namespace clever::cli
