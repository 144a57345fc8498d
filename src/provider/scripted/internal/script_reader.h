#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/yaml.h"
#include "provider/scripted/script.h"

// Parses the parts of a script from YAML. Errors name file, line and key.
namespace clever::provider::internal {

using model::YamlValue;

/// Parses a document as a script.
[[nodiscard]] base::Result<Script> read_script(const YamlValue& document, std::string file);

[[nodiscard]] base::Result<ScriptMatch> read_match(const std::string& file, const YamlValue& node);

/// The keys of an answer: content and delivery.
[[nodiscard]] std::span<const std::string_view> answer_keys();

/// Parses the answer keys of a mapping, over `defaults`; leaves other keys to the caller.
[[nodiscard]] base::Result<ScriptedReply> read_reply(const std::string& file, const YamlValue& node,
                                                     const ScriptedReply& defaults);
/// How answers are delivered if a rule does not say.
[[nodiscard]] base::Result<ScriptedReply> read_defaults(const std::string& file,
                                                        const YamlValue& node);
[[nodiscard]] base::Result<ScriptedError> read_error(const std::string& file,
                                                     const YamlValue& node);

}  // namespace clever::provider::internal
