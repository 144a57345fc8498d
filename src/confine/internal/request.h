#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "confine/command.h"

namespace clever::confine::internal {

inline constexpr std::size_t kLargestRequest = std::size_t{16} << 20U;
/// What begins every request: a mark, and the length of the rest.
inline constexpr std::size_t kRequestHeadSize = 16;

/// `invalid_argument`, saying what is wrong and what would be right.
[[nodiscard]] base::Result<void> check_command(const Command& command);

/// A command as bytes, with the head that announces their number.
[[nodiscard]] base::Result<std::string> encode_request(const Command& command);
/// The length that a head announces; `invalid_argument` if it is none, or announces too much.
[[nodiscard]] base::Result<std::size_t> read_request_head(std::string_view head);
/// What comes after the head. Everything in it is checked as check_command() does.
[[nodiscard]] base::Result<Command> decode_request(std::string_view body);

}  // namespace clever::confine::internal
