#pragma once
#include <cstdint>

namespace clever::io {

/// The memory available to this process in bytes: the machine's, or less where a control group
/// limits it, as in containers. From any thread.
[[nodiscard]] std::uint64_t machine_memory();

}  // namespace clever::io
