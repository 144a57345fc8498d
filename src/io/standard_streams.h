#pragma once

namespace clever::io {

/// Makes sure that descriptors 0, 1 and 2 are taken, before anything else is opened: a file opened
/// later can then never stand where output is written. A missing one becomes /dev/null opened for
/// reading, so that writing to it still fails and is noticed.
void hold_standard_streams();

}  // namespace clever::io
