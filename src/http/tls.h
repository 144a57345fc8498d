#pragma once
#include <filesystem>

namespace clever::http {

/// A server's certificate with its chain, and its key: PEM files.
struct TlsFiles {
  std::filesystem::path certificate{};
  std::filesystem::path key{};  // not encrypted
};

}  // namespace clever::http
