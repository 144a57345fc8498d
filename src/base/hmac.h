#pragma once
#include <string_view>

#include "base/sha256.h"

namespace clever::base {

/// HMAC-SHA-256 (RFC 2104). Thread-safe.
[[nodiscard]] Sha256Digest hmac_sha256(std::string_view key, std::string_view text);

}  // namespace clever::base
