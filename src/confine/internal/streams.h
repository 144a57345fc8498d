#pragma once

namespace clever::confine::internal {

/// Closes the three standard streams; /dev/null takes their numbers, if it exists.
void forget_standard_streams();

}  // namespace clever::confine::internal
