#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/redact.h"
#include "base/result.h"
#include "base/secrets.h"
#include "provider/answer.h"
#include "provider/failure.h"
#include "provider/request.h"

// Requests, answers and failures as JSON on a cassette.
namespace clever::provider::internal {

/// Discarded if the text is not JSON, or nested deeper than `most_depth`: the library recurses when
/// it writes.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, int most_depth);

/// As canonical_request() describes.
[[nodiscard]] nlohmann::json request_json(std::string_view provider, const std::string& model,
                                          const ModelRequest& request);
[[nodiscard]] nlohmann::json answer_json(const ModelAnswer& answer);
[[nodiscard]] nlohmann::json failure_json(const Failure& failure);

/// Redacts everything that looks like a secret in all strings, and values whose key marks them as
/// secret. Content under "opaque" belongs to the provider and stays unchanged.
void redact_json(nlohmann::json& value, const base::Redactor& redactor);

/// Masks known secrets in an answer, and nothing else, because a replay works with the answer.
/// Arguments of a tool call that hold one are replaced as a whole by a value that no tool accepts,
/// so that no tool runs with arguments that the model did not give.
void withhold_json(nlohmann::json& answer, const base::Secrets& secrets);

/// One line; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_line_text(const nlohmann::json& value);

/// `invalid_argument` names the key.
[[nodiscard]] base::Result<ModelAnswer> answer_from_json(const nlohmann::json& value);
[[nodiscard]] base::Result<Failure> failure_from_json(const nlohmann::json& value);

}  // namespace clever::provider::internal
