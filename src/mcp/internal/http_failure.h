#pragma once
#include <string_view>

#include "base/error.h"
#include "io/http.h"

namespace clever::mcp::internal {

/// Why an exchange has no complete answer.
[[nodiscard]] base::Error error_of_end(const io::HttpEnd& end);

/// The meaning of an error status. `in_session`: a session id was sent, so 404 means that the
/// session has ended: `conflict`, nothing was done.
[[nodiscard]] base::Error error_of_status(const io::HttpHead& head, std::string_view body,
                                          bool in_session);

}  // namespace clever::mcp::internal
