#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/secrets.h"
#include "tool/json_schema.h"
#include "tool/tool.h"

// Checks and redacts a tool's answer before anything reads it.
namespace clever::tool::internal {

/// Drops structured output that is not JSON, or does not match the schema, and reports that as a
/// failure.
void check_structured(ToolAnswer& answer, const JsonSchema* promised);

/// What an answer must not show, and how that is marked.
struct Withholding {
  /// Null: nothing is withheld.
  const base::Secrets* secrets = nullptr;
  /// Withholds whole lines instead of values.
  bool by_line = false;
};

/// Makes it valid UTF-8, without known secrets, within the limit. Removes secrets first, because a
/// secret that is cut in two cannot be recognised. Changes nothing else: the model writes back what
/// it reads.
void make_presentable(ToolAnswer& answer, std::size_t limit, const Withholding& withholding);

/// The text without known secrets, for tools that cut text themselves.
[[nodiscard]] std::string without_secrets(std::string text, const base::Secrets* secrets);
/// Whether a tool must not show this content; false without known secrets.
[[nodiscard]] bool holds_secret(std::string_view content, const base::Secrets* secrets);

}  // namespace clever::tool::internal
