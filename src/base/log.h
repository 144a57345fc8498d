#pragma once
#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/redact.h"
#include "base/result.h"

namespace clever::base {

enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kOff };

/// "trace", "debug", "info", "warning", "error", "off".
[[nodiscard]] std::string_view to_string(LogLevel level) noexcept;
[[nodiscard]] std::optional<LogLevel> log_level_from_string(std::string_view name) noexcept;

/// The logged form of a field's value.
using LogValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;

/// One record for the sinks: redacted, valid UTF-8, no value over kLongestLogValue. It may still
/// contain control characters: a sink that writes lines uses log_format.h.
struct LogRecord {
  WallTime time;
  LogLevel level = LogLevel::kInfo;
  std::string message;
  std::vector<std::pair<std::string, LogValue>> fields;
};

/// In bytes; longer values are cut, with a note of their size.
inline constexpr std::size_t kLongestLogValue = 8192;

/// The destination of records. Thread-safe: write() is called from any thread, without a caller's
/// lock. It may fail; the Logger counts that as a drop and continues.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual Result<void> write(const LogRecord& record) = 0;
};

/// Keeps records for tests. Thread-safe.
class CapturingSink final : public LogSink {
 public:
  Result<void> write(const LogRecord& record) override;
  [[nodiscard]] std::vector<LogRecord> records() const;

 private:
  Guarded<std::vector<LogRecord>> records_;
};

/// A field's value at the log call: a number, a truth value, or a view of a text. Lives as long as
/// that call.
class LogArgument {
 public:
  using View = std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view>;

  // Implicit, so that {{"plan", id}, {"attempt", 2}} works.
  LogArgument(bool value) : view_(value) {}
  template <std::signed_integral T>
    requires(!std::same_as<T, char>)
  LogArgument(T value) : view_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  LogArgument(T value) : view_(static_cast<std::uint64_t>(value)) {}
  template <std::floating_point T>
  LogArgument(T value) : view_(static_cast<double>(value)) {}
  template <class T>
    requires std::convertible_to<const T&, std::string_view>
  LogArgument(const T& text) : view_(static_cast<std::string_view>(text)) {}

  [[nodiscard]] const View& view() const { return view_; }

 private:
  View view_;
};

struct LogField {
  std::string_view key;
  LogArgument value;
};
using LogFields = std::initializer_list<LogField>;

/// Writes structured records: logger.info("plan started", {{"plan", id}, {"attempt", 2}}).
/// Injected, never global. The Redactor processes message and fields before a sink sees them, and
/// the value of a field with a secret's name is never written at all.
///
/// A small value: copies, and loggers made by with(), share level, sinks and count of drops.
/// Thread-safe. Never throws and never fails its caller: a record that cannot be written is dropped
/// and counted. A disabled level costs one relaxed load. Do not log under a lock: it aborts in test
/// builds.
class Logger {
 public:
  /// The clock must outlive every copy.
  Logger(const Clock& clock, std::shared_ptr<const Redactor> redactor,
         std::vector<std::shared_ptr<LogSink>> sinks, LogLevel level = LogLevel::kInfo);

  /// A logger whose records all carry these fields too; a record's own field of the same name wins.
  [[nodiscard]] Logger with(LogFields fields) const;

  void trace(std::string_view message, LogFields fields = {}) const noexcept {
    log(LogLevel::kTrace, message, fields);
  }
  void debug(std::string_view message, LogFields fields = {}) const noexcept {
    log(LogLevel::kDebug, message, fields);
  }
  void info(std::string_view message, LogFields fields = {}) const noexcept {
    log(LogLevel::kInfo, message, fields);
  }
  void warning(std::string_view message, LogFields fields = {}) const noexcept {
    log(LogLevel::kWarning, message, fields);
  }
  void error(std::string_view message, LogFields fields = {}) const noexcept {
    log(LogLevel::kError, message, fields);
  }
  void log(LogLevel level, std::string_view message, LogFields fields) const noexcept {
    lock_rank::require_none("logging");
    if (enabled(level)) write(level, message, fields);
  }

  [[nodiscard]] bool enabled(LogLevel level) const noexcept {
    return level >= core_->level.load(std::memory_order_relaxed) && level != LogLevel::kOff;
  }
  void set_level(LogLevel level) const noexcept {
    core_->level.store(level, std::memory_order_relaxed);
  }
  /// How many records sinks failed to write so far; a record counts once per sink.
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return core_->dropped.load(std::memory_order_relaxed);
  }

 private:
  using OwnedFields = std::vector<std::pair<std::string, LogValue>>;

  struct Core {
    // Constant after construction.
    const Clock& clock;
    std::shared_ptr<const Redactor> redactor;
    std::vector<std::shared_ptr<LogSink>> sinks;
    // Publish nothing else.
    std::atomic<LogLevel> level;
    std::atomic<std::uint64_t> dropped{0};
  };

  void write(LogLevel level, std::string_view message, LogFields fields) const noexcept;
  [[nodiscard]] LogRecord make_record(LogLevel level, std::string_view message,
                                      LogFields fields) const;

  std::shared_ptr<Core> core_;
  std::shared_ptr<const OwnedFields> bound_;
};

}  // namespace clever::base
