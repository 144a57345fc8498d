#pragma once
#include <cstdint>
#include <filesystem>

namespace clever::confine::internal {

/// Whether a process that runs this program listens on the port of this machine. Processes of
/// other users are not seen.
[[nodiscard]] bool listens(const std::filesystem::path& program, std::uint16_t port);

}  // namespace clever::confine::internal
