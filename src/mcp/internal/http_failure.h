#pragma once
#include <string_view>

#include "base/error.h"
#include "io/http.h"

namespace clever::mcp::internal {

/// Why an exchange has no whole answer.
[[nodiscard]] base::Error error_of_end(const io::HttpEnd& end);

/// What a status other than success means. `in_session`: a session id was sent, and 404 says that
/// it is over: `conflict`, nothing was done.
[[nodiscard]] base::Error error_of_status(const io::HttpHead& head, std::string_view body,
                                          bool in_session);

}  // namespace clever::mcp::internal
