#pragma once
#include <filesystem>
#include <string>

namespace clever::mcp::internal {

/// file:///a/b%20c
[[nodiscard]] std::string file_uri(const std::filesystem::path& path);

}  // namespace clever::mcp::internal
