#pragma once
#include <string>
#include <string_view>

#include "confine/command.h"

namespace clever::confine::internal {

/// Why confinement may have made a command fail, guessed from its output: "needed the network,
/// which is off (sandbox.network)". Empty without an indication.
[[nodiscard]] std::string remark_on(const Command& command, std::string_view written);

/// "2 GiB", "300 KiB", "17 bytes"
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace clever::confine::internal
