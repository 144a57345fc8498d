#pragma once

namespace clever::confine::internal {

/// Lets go of the three standard streams; /dev/null takes their numbers, where there is one.
void forget_standard_streams();

}  // namespace clever::confine::internal
