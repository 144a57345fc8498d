#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::base {

/// The canonical reasons for failure. Callers branch on these and never on message text.
enum class ErrorCode : std::uint8_t {
  kInvalidArgument,
  kNotFound,
  kAlreadyExists,
  kConflict,
  kCancelled,
  kDeadlineExceeded,
  kUnavailable,
  kResourceExhausted,
  kPermissionDenied,
  kCorruption,
  kInternal,
};

/// The code's name on the wire and in logs: "invalid_argument", "not_found", …
[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;
[[nodiscard]] std::optional<ErrorCode> error_code_from_string(std::string_view name) noexcept;

/// Whether the same call may succeed later without any change. Decided nowhere else.
[[nodiscard]] bool is_retryable(ErrorCode code) noexcept;

/// Why an operation failed: a code for programs, a message for people (what was wrong, where, what
/// would be right) and the chain of operations, innermost first.
///
/// A value; safe to copy and to hand to another thread.
class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::vector<std::string>& context() const noexcept { return context_; }

  /// Adds the caller's operation ("reading the settings"). Call it on the way up.
  Error& add_context(std::string doing) &;
  Error&& add_context(std::string doing) &&;

  /// "reading the settings: parsing config.toml: expected a string (invalid_argument)"
  [[nodiscard]] std::string to_string() const;

  /// The chain and the message without the code: the sentence shown to a person.
  [[nodiscard]] std::string sentence() const;

  friend bool operator==(const Error&, const Error&) = default;

 private:
  ErrorCode code_;
  std::string message_;
  std::vector<std::string> context_;
};

[[nodiscard]] inline Error invalid_argument(std::string m) {
  return {ErrorCode::kInvalidArgument, std::move(m)};
}
[[nodiscard]] inline Error not_found(std::string m) { return {ErrorCode::kNotFound, std::move(m)}; }
[[nodiscard]] inline Error already_exists(std::string m) {
  return {ErrorCode::kAlreadyExists, std::move(m)};
}
[[nodiscard]] inline Error conflict(std::string m) { return {ErrorCode::kConflict, std::move(m)}; }
[[nodiscard]] inline Error cancelled(std::string m) {
  return {ErrorCode::kCancelled, std::move(m)};
}
[[nodiscard]] inline Error deadline_exceeded(std::string m) {
  return {ErrorCode::kDeadlineExceeded, std::move(m)};
}
[[nodiscard]] inline Error unavailable(std::string m) {
  return {ErrorCode::kUnavailable, std::move(m)};
}
[[nodiscard]] inline Error resource_exhausted(std::string m) {
  return {ErrorCode::kResourceExhausted, std::move(m)};
}
[[nodiscard]] inline Error permission_denied(std::string m) {
  return {ErrorCode::kPermissionDenied, std::move(m)};
}
[[nodiscard]] inline Error corruption(std::string m) {
  return {ErrorCode::kCorruption, std::move(m)};
}
[[nodiscard]] inline Error internal_error(std::string m) {
  return {ErrorCode::kInternal, std::move(m)};
}

}  // namespace clever::base
