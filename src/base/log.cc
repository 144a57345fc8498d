#include "base/log.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "base/utf8.h"

namespace clever::base {
namespace {

// Indexed by LogLevel.
constexpr std::array<std::string_view, 6> kLevels = {"trace", "debug", "info",
                                                     "warn",  "error", "off"};

LogValue owned(const LogArgument::View& view) {
  return std::visit(
      [](const auto& value) -> LogValue {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
          return std::string(value);
        } else {
          return value;
        }
      },
      view);
}

// Redacts before it cuts: half a secret has no recognisable shape.
std::string clean(const Redactor& redactor, std::string_view text) {
  const std::string redacted = redactor.redact(text);
  if (redacted.size() <= kLongestLogValue) return to_valid_utf8(redacted);
  return to_valid_utf8(utf8_prefix(redacted, kLongestLogValue)) + "… (cut, " +
         std::to_string(redacted.size()) + " bytes in all)";
}

LogValue clean(const Redactor& redactor, std::string_view key, LogValue value) {
  if (names_secret(key)) return std::string(kRedacted);
  if (const auto* text = std::get_if<std::string>(&value)) return clean(redactor, *text);
  return value;
}

void set(std::vector<std::pair<std::string, LogValue>>& fields, std::string key, LogValue value) {
  const auto found = std::ranges::find(fields, key, [](const auto& field) { return field.first; });
  if (found == fields.end()) {
    fields.emplace_back(std::move(key), std::move(value));
  } else {
    found->second = std::move(value);
  }
}

}  // namespace

std::string_view to_string(LogLevel level) noexcept {
  return kLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> log_level_from_string(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kLevels, name);
  if (found == kLevels.end()) return std::nullopt;
  return static_cast<LogLevel>(found - kLevels.begin());
}

Result<void> CapturingSink::write(const LogRecord& record) {
  records_.with([&record](auto& records) { records.push_back(record); });
  return {};
}

std::vector<LogRecord> CapturingSink::records() const {
  return records_.with([](const auto& records) { return records; });
}

Logger::Logger(const Clock& clock, std::shared_ptr<const Redactor> redactor,
               std::vector<std::shared_ptr<LogSink>> sinks, LogLevel level)
    : core_(new Core{clock, std::move(redactor), std::move(sinks), level}),
      bound_(std::make_shared<OwnedFields>()) {}

Logger Logger::with(LogFields fields) const {
  auto bound = std::make_shared<OwnedFields>(*bound_);
  for (const LogField& field : fields)
    set(*bound, std::string(field.key), owned(field.value.view()));
  Logger child = *this;
  child.bound_ = std::move(bound);
  return child;
}

LogRecord Logger::make_record(LogLevel level, std::string_view message, LogFields fields) const {
  const Redactor& redactor = *core_->redactor;
  LogRecord record{core_->clock.wall_now(), level, clean(redactor, message), *bound_};
  for (const LogField& field : fields) {
    set(record.fields, std::string(field.key), owned(field.value.view()));
  }
  // Bound fields too: a secret may have become known since.
  for (auto& [key, value] : record.fields) value = clean(redactor, key, std::move(value));
  for (auto& [key, value] : record.fields) key = clean(redactor, key);
  return record;
}

void Logger::write(LogLevel level, std::string_view message, LogFields fields) const noexcept {
  std::size_t written = 0;
  try {
    const LogRecord record = make_record(level, message, fields);
    for (const auto& sink : core_->sinks) {
      if (sink->write(record).ok()) ++written;
    }
  } catch (...) {
    // Out of memory, or a sink that throws: the caller's work matters more than its log.
  }
  core_->dropped.fetch_add(core_->sinks.size() - written, std::memory_order_relaxed);
}

}  // namespace clever::base
