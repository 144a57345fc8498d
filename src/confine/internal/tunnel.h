#pragma once
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// Passes bytes both ways between two sockets that do not block, until both directions have ended,
/// one fails, `stop_event` is readable, or nothing moves for too long. What was read of the first
/// already goes to the second before.
void pass_both_ways(const io::FileDescriptor& first, const io::FileDescriptor& second,
                    std::string_view for_second, int stop_event, base::Clock& clock);

}  // namespace clever::confine::internal
