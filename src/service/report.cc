#include "service/report.h"

#include <utility>

namespace clever::service {

std::string_view to_string(Status status) noexcept {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kWarn:
      return "warn";
    case Status::kError:
      break;
  }
  return "error";
}

std::string_view to_string(Message::Level level) noexcept {
  switch (level) {
    case Message::Level::kNote:
      return "note";
    case Message::Level::kWarning:
      return "warning";
    case Message::Level::kHint:
      return "hint";
    case Message::Level::kUsage:
      return "usage";
    case Message::Level::kError:
      break;
  }
  return "error";
}

void Report::warn(std::string text) {
  messages.push_back({Message::Level::kWarning, std::move(text)});
  if (status == Status::kOk) status = Status::kWarn;
}

Report failed(const base::Error& error, std::string hint) {
  Report report;
  report.status = Status::kError;
  report.exit_code = exit_code(error.code());
  report.messages.push_back({Message::Level::kError, error.sentence()});
  if (!hint.empty()) report.messages.push_back({Message::Level::kHint, std::move(hint)});
  return report;
}

}  // namespace clever::service
