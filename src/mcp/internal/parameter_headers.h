#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/http.h"
#include "mcp/internal/message.h"

namespace clever::mcp::internal {

/// An argument of a tool that HTTP requests repeat in a header (x-mcp-header, revision 2026-07-28).
struct ParameterHeader {
  std::string name;               // "Mcp-Param-Region"
  std::vector<std::string> path;  // of members, from the arguments down
};

/// `invalid_argument` says which annotation of the schema breaks which rule.
[[nodiscard]] base::Result<std::vector<ParameterHeader>> parameter_headers(const Json& schema);

/// The headers of one call: those of arguments that are present and not null.
[[nodiscard]] std::vector<io::HttpHeader> header_values(const std::vector<ParameterHeader>& headers,
                                                        const Json& arguments);

/// Unchanged if a header can hold it, else =?base64?…?=.
[[nodiscard]] std::string header_value(std::string_view text);

}  // namespace clever::mcp::internal
