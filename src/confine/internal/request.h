#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "confine/command.h"

namespace clever::confine::internal {

inline constexpr std::size_t kLargestRequest = std::size_t{16} << 20U;
/// The head of every request: a mark, and the length of the rest.
inline constexpr std::size_t kRequestHeadSize = 16;

/// `invalid_argument` says what is wrong and what would be right.
[[nodiscard]] base::Result<void> check_command(const Command& command);

/// A command as bytes, with its head.
[[nodiscard]] base::Result<std::string> encode_request(const Command& command);
/// The length in a head; `invalid_argument` if the head is invalid, or the length too large.
[[nodiscard]] base::Result<std::size_t> read_request_head(std::string_view head);
/// Decodes what follows the head, and checks it like check_command().
[[nodiscard]] base::Result<Command> decode_request(std::string_view body);

}  // namespace clever::confine::internal
