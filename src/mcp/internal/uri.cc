#include "mcp/internal/uri.h"

#include <string_view>

namespace clever::mcp::internal {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("/-._~").contains(c);
}

}  // namespace

std::string file_uri(const std::filesystem::path& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path.native()) {
    if (is_plain(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4U];
    uri += kDigits[byte & 15U];
  }
  return uri;
}

}  // namespace clever::mcp::internal
