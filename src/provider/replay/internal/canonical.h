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

/// Discarded if it is no JSON, or nested deeper than that: the library recurses when it writes.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, int most_depth);

/// As canonical_request() describes.
[[nodiscard]] nlohmann::json request_json(std::string_view provider, const std::string& model,
                                          const ModelRequest& request);
[[nodiscard]] nlohmann::json answer_json(const ModelAnswer& answer);
[[nodiscard]] nlohmann::json failure_json(const Failure& failure);

/// Replaces what looks like a secret in all strings, and values whose key says that they are one.
/// What stands under "opaque" belongs to the provider and stays as it is.
void redact_json(nlohmann::json& value, const base::Redactor& redactor);

/// Masks known secrets in an answer, and nothing else: what is replayed is worked on. Arguments of
/// a tool call that hold one are left out whole; no tool takes what stands in their place, so that
/// nothing runs with arguments that the model did not give.
void withhold_json(nlohmann::json& answer, const base::Secrets& secrets);

/// One line; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string to_line_text(const nlohmann::json& value);

/// `invalid_argument` names the key.
[[nodiscard]] base::Result<ModelAnswer> answer_from_json(const nlohmann::json& value);
[[nodiscard]] base::Result<Failure> failure_from_json(const nlohmann::json& value);

}  // namespace clever::provider::internal
