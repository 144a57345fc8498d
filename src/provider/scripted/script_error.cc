#include "provider/scripted/script_error.h"

#include <array>

namespace clever::provider {

std::span<const FailureKind> scriptable_kinds() {
  static constexpr std::array kKinds{FailureKind::kRateLimited,  FailureKind::kOverloaded,
                                     FailureKind::kConnection,   FailureKind::kCut,
                                     FailureKind::kTimeout,      FailureKind::kMalformed,
                                     FailureKind::kQuota,        FailureKind::kBadKey,
                                     FailureKind::kUnknownModel, FailureKind::kContextTooLong,
                                     FailureKind::kBadRequest,   FailureKind::kRefused,
                                     FailureKind::kMisconfigured};
  return kKinds;
}

std::optional<FailureKind> scriptable_kind(std::string_view name) {
  for (const FailureKind kind : scriptable_kinds()) {
    if (to_string(kind) == name) return kind;
  }
  return std::nullopt;
}

FailureKind kind_of_status(int status) {
  switch (status) {
    case 401:
    case 403:
      return FailureKind::kBadKey;
    case 402:
      return FailureKind::kQuota;
    case 404:
      return FailureKind::kUnknownModel;
    case 408:
      return FailureKind::kTimeout;
    case 413:
      return FailureKind::kContextTooLong;
    case 429:
      return FailureKind::kRateLimited;
    default:
      return status >= 500 ? FailureKind::kOverloaded : FailureKind::kBadRequest;
  }
}

int usual_status(FailureKind kind) {
  switch (kind) {
    case FailureKind::kRateLimited:
    case FailureKind::kQuota:
      return 429;
    case FailureKind::kOverloaded:
      return 503;
    case FailureKind::kBadKey:
      return 401;
    case FailureKind::kUnknownModel:
      return 404;
    case FailureKind::kContextTooLong:
    case FailureKind::kBadRequest:
    case FailureKind::kRefused:
      return 400;
    default:
      return 0;
  }
}

}  // namespace clever::provider
