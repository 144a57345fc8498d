#include "provider/failure.h"

#include <array>
#include <utility>

namespace clever::provider {
namespace {

using base::ErrorCode;

struct Facts {
  std::string_view name;
  bool transient;
  ErrorCode code;
};

// In the order of FailureKind.
constexpr std::array kFacts{
    Facts{"rate_limited", true, ErrorCode::kUnavailable},
    Facts{"overloaded", true, ErrorCode::kUnavailable},
    Facts{"connection", true, ErrorCode::kUnavailable},
    Facts{"cut", true, ErrorCode::kUnavailable},
    Facts{"timeout", true, ErrorCode::kDeadlineExceeded},
    Facts{"malformed", true, ErrorCode::kUnavailable},
    Facts{"quota", false, ErrorCode::kResourceExhausted},
    Facts{"bad_key", false, ErrorCode::kPermissionDenied},
    Facts{"unknown_model", false, ErrorCode::kNotFound},
    Facts{"context_too_long", false, ErrorCode::kInvalidArgument},
    Facts{"bad_request", false, ErrorCode::kInvalidArgument},
    Facts{"refused", false, ErrorCode::kPermissionDenied},
    Facts{"misconfigured", false, ErrorCode::kInvalidArgument},
    Facts{"cancelled", false, ErrorCode::kCancelled},
    Facts{"gave_up", false, ErrorCode::kResourceExhausted},
    Facts{"not_recorded", false, ErrorCode::kNotFound},
    Facts{"script", false, ErrorCode::kInvalidArgument},
};

const Facts& facts(FailureKind kind) noexcept { return kFacts[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view to_string(FailureKind kind) noexcept { return facts(kind).name; }

bool is_transient(FailureKind kind) noexcept { return facts(kind).transient; }

base::Error Failure::to_error() const { return {facts(kind).code, message}; }

}  // namespace clever::provider
