#pragma once
#include <cstdint>

namespace clever::io {

/// The memory that this process can count on, in bytes: the machine's, or less where a control
/// group limits it, as containers do. From any thread.
[[nodiscard]] std::uint64_t machine_memory();

}  // namespace clever::io
