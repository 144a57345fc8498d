#pragma once
#include <string_view>

namespace clever::confine::internal {

/// Whether a file of that name usually holds a key or a password: .env, id_ed25519, server.pem …
[[nodiscard]] bool is_secret_name(std::string_view name);

}  // namespace clever::confine::internal
