#pragma once
#include <cstdint>
#include <filesystem>

namespace clever::confine::internal {

/// Whether a process with this program listens on the port of this machine. Cannot see processes of
/// other users.
[[nodiscard]] bool listens(const std::filesystem::path& program, std::uint16_t port);

}  // namespace clever::confine::internal
