#pragma once
#include <filesystem>
#include <string>

#include "base/random.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::server {

/// The server's own token: 256 random bits in hexadecimal, in a file that only its owner can read.
/// A value.
struct Token {
  std::string secret{};
  std::filesystem::path file{};
  /// True if it was made just now, the only time at which it may be shown.
  bool is_new = false;
};

/// Reads the token of this home, or makes one; concurrent processes all get the same.
/// `permission_denied` if others can read the file, `corruption` if it holds something else.
[[nodiscard]] base::Result<Token> load_token(const std::filesystem::path& home,
                                             base::Random& random, const base::StopToken& stop);

}  // namespace clever::server
