#include "storage/postgres/internal/failure.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace clever::storage::postgres {
namespace {

using base::ErrorCode;

struct Meaning {
  std::string_view prefix;  // of the SQLSTATE: the whole, or its class
  ErrorCode code;
  Trouble trouble = Trouble::kRefused;
};

// The first matching prefix counts.
constexpr std::array kMeanings = std::to_array<Meaning>({
    {"23505", ErrorCode::kAlreadyExists},                  // unique_violation
    {"23", ErrorCode::kInvalidArgument},                   // other constraints
    {"22", ErrorCode::kInvalidArgument},                   // data exceptions
    {"40001", ErrorCode::kUnavailable, Trouble::kRepeat},  // serialization_failure
    {"40P01", ErrorCode::kUnavailable, Trouble::kRepeat},  // deadlock_detected
    {"55P03", ErrorCode::kUnavailable, Trouble::kRepeat},  // lock_not_available
    {"40003", ErrorCode::kUnavailable, Trouble::kLost},    // statement_completion_unknown
    {"08", ErrorCode::kUnavailable, Trouble::kLost},       // connection exceptions
    {"57P01", ErrorCode::kUnavailable, Trouble::kLost},    // admin_shutdown
    {"57P02", ErrorCode::kUnavailable, Trouble::kLost},    // crash_shutdown
    {"57P03", ErrorCode::kUnavailable, Trouble::kLost},    // cannot_connect_now
    {"57P05", ErrorCode::kUnavailable, Trouble::kLost},    // idle_session_timeout
    {"25P03", ErrorCode::kUnavailable, Trouble::kLost},    // idle in transaction too long
    {"53300", ErrorCode::kUnavailable},                    // too_many_connections
    {"53", ErrorCode::kResourceExhausted},                 // disk full, out of memory, …
    {"54", ErrorCode::kInvalidArgument},                   // program limits: too large
    {"57014", ErrorCode::kUnavailable},                    // query_canceled, by an administrator
    {"25006", ErrorCode::kPermissionDenied},               // read_only_sql_transaction
    {"28", ErrorCode::kPermissionDenied},                  // invalid authorization
    {"42501", ErrorCode::kPermissionDenied},               // insufficient_privilege
    {"3D000", ErrorCode::kNotFound},                       // no such database
    {"42804", ErrorCode::kInvalidArgument},                // datatype_mismatch
    {"42883", ErrorCode::kInvalidArgument},                // no operator for these types
    {"XX001", ErrorCode::kCorruption},                     // data_corrupted
    {"XX002", ErrorCode::kCorruption},                     // index_corrupted
});

Meaning meaning_of(std::string_view sqlstate) {
  const auto* const found = std::ranges::find_if(
      kMeanings, [&](const Meaning& meaning) { return sqlstate.starts_with(meaning.prefix); });
  return found == kMeanings.end() ? Meaning{"", ErrorCode::kInternal} : *found;
}

bool is_sqlstate(std::string_view text) {
  return text.size() == 5 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
         });
}

// Returns where the SQLSTATE of the last "…:  3D000: " begins, or npos.
std::size_t sqlstate_in(std::string_view text) {
  for (std::size_t at = text.rfind(": "); at != std::string_view::npos && at > 0;
       at = text.rfind(": ", at - 1)) {
    const std::size_t begin = text.find_first_not_of(' ', at + 1);
    if (begin != std::string_view::npos && is_sqlstate(text.substr(begin, 5)) &&
        text.substr(begin + 5).starts_with(":")) {
      return begin;
    }
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Failure failure_of(const ServerMessage& message) {
  const Meaning meaning = meaning_of(message.sqlstate);
  const bool ended = message.severity == "FATAL" || message.severity == "PANIC";
  std::string text(message.text);
  if (!message.detail.empty()) text.append(": ").append(message.detail);
  return {.trouble = ended ? Trouble::kLost : meaning.trouble,
          .sqlstate = std::string(message.sqlstate),
          .error = {meaning.code, std::move(text)}};
}

base::Error connect_error(std::string_view text) {
  const std::size_t location = text.find("\nLOCATION:");
  text = trimmed(text.substr(0, location));
  const std::size_t begin = sqlstate_in(text);
  if (begin == std::string_view::npos) return base::unavailable(std::string(text));
  const std::string_view sqlstate = text.substr(begin, 5);
  const std::string_view said = text.substr(text.find_first_not_of(": ", begin + 5));
  return {meaning_of(sqlstate).code, std::string(said)};
}

}  // namespace clever::storage::postgres
