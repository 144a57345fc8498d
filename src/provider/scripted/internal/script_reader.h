#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/scripted/internal/yaml_tree.h"
#include "provider/scripted/script.h"

// The parts of a script, read from YAML. Failures name file, line and key.
namespace clever::provider::internal {

/// The script that a document is.
[[nodiscard]] base::Result<Script> read_script(const YamlNode& document, std::string file);

[[nodiscard]] base::Result<ScriptMatch> read_match(const std::string& file, const YamlNode& node);

/// The keys of an answer: what is said, and how.
[[nodiscard]] std::span<const std::string_view> answer_keys();

/// Reads the answer keys of a mapping, over `defaults`; other keys are left to the caller.
[[nodiscard]] base::Result<ScriptedReply> read_reply(const std::string& file, const YamlNode& node,
                                                     const ScriptedReply& defaults);
/// How answers are brought where a rule does not say.
[[nodiscard]] base::Result<ScriptedReply> read_defaults(const std::string& file,
                                                        const YamlNode& node);
[[nodiscard]] base::Result<ScriptedError> read_error(const std::string& file, const YamlNode& node);

}  // namespace clever::provider::internal
