#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/document.h"
#include "service/exit_code.h"
#include "service/view.h"

namespace clever::service {

using model::Document;

enum class Status : std::uint8_t { kOk, kWarn, kError };
[[nodiscard]] std::string_view to_string(Status status) noexcept;

struct Message {
  enum class Level : std::uint8_t { kNote, kWarning, kError, kHint, kUsage };
  Level level = Level::kNote;
  std::string text;
  /// People have read it on standard error already; programs get it with the report.
  bool said = false;
};
[[nodiscard]] std::string_view to_string(Message::Level level) noexcept;

/// What a command came to: data for programs, a view for people, messages for both.
struct Report {
  Document data;
  View view;
  Status status = Status::kOk;
  ExitCode exit_code = ExitCode::kOk;
  std::vector<Message> messages;

  void warn(std::string text);
};

/// The report of a command that failed. The only way from an Error to a person.
[[nodiscard]] Report failed(const base::Error& error, std::string hint = {});

}  // namespace clever::service
