#pragma once
#include <string_view>

#include "base/sha256.h"

namespace clever::base {

/// HMAC-SHA256 (RFC 2104) of a message: what only a holder of the key can have made. Thread-safe.
[[nodiscard]] Sha256Digest hmac_sha256(std::string_view key, std::string_view message);

}  // namespace clever::base
