#pragma once

namespace clever::io {

/// Call before opening anything: ensures that descriptors 0, 1 and 2 are taken, so that a later
/// file never receives output. A missing one becomes /dev/null opened for reading, so that writing
/// to it still fails visibly.
void hold_standard_streams();

}  // namespace clever::io
