#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/http.h"
#include "provider/endpoint.h"
#include "provider/internal/json_writer.h"
#include "provider/request.h"

// The common parts of several wires' requests.
namespace clever::provider::internal {

/// Identifies how a wire writes a message, for SharedMessage::written(): everything besides the
/// message that its text depends on.
[[nodiscard]] constexpr std::uint32_t style_of(Wire wire, Dialect dialect = {}) {
  return (static_cast<std::uint32_t>(wire) << 8U) + static_cast<std::uint32_t>(dialect);
}

/// A POST with a JSON body, or a GET without one. The endpoint's own headers override `headers`.
[[nodiscard]] io::HttpRequest json_request(const Endpoint& endpoint, std::string url,
                                           std::vector<io::HttpHeader> headers, std::string body);

/// Appends `path` to `base`, unless the base ends in it already: people write addresses with and
/// without "/v1".
[[nodiscard]] std::string with_path(std::string_view base, std::string_view path);

/// Encodes a path's segment or a query's value; keeps "/" if `keep_slash`.
[[nodiscard]] std::string percent_encoded(std::string_view text, bool keep_slash = false);

/// The JSON Schema of a tool's parameters, in a form that every API accepts: a schema that is not
/// an object's becomes one without properties.
[[nodiscard]] std::string parameters_schema(std::string_view schema);

/// The JSON Schema of an answer; empty if the text is not a JSON object.
[[nodiscard]] std::string answer_schema(const ModelRequest& request);

/// The texts that end an answer: at most `most`, without blank ones, which some APIs refuse.
[[nodiscard]] std::vector<std::string> stop_texts(const ModelRequest& request, std::size_t most);

/// The texts among the parts of a message, with a blank line between them.
[[nodiscard]] std::string joined_text(const model::Message& message);

/// The words of a result, with a blank line between them; names a failure.
[[nodiscard]] std::string result_text(const model::ToolResult& result);
[[nodiscard]] std::vector<const model::Image*> images_of(const model::ToolResult& result);

/// The version in a model's name: "claude-opus-4-6" is 4.6, "gemini-3-pro" 3.0. Zero if there is
/// none.
struct ModelVersion {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const ModelVersion&, const ModelVersion&) = default;
};
[[nodiscard]] ModelVersion version_of(std::string_view model);

}  // namespace clever::provider::internal
