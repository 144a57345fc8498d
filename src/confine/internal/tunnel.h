#pragma once
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// Passes bytes both ways between two non-blocking sockets, until the server has ended, one side
/// fails, `stop_event` is readable, or nothing moves for too long. Sends `for_server` first.
void pass_both_ways(const io::FileDescriptor& client, const io::FileDescriptor& server,
                    std::string_view for_server, int stop_event, base::Clock& clock);

}  // namespace clever::confine::internal
