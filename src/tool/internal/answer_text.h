#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/secrets.h"
#include "tool/json_schema.h"
#include "tool/tool.h"

// What becomes of a tool's answer before anybody reads it.
namespace clever::tool::internal {

/// Structured output that is no JSON, or not of the promised form, is dropped, and the answer says
/// so as a failure.
void check_structured(ToolAnswer& answer, const JsonSchema* promised);

/// What an answer must not show, and how that is said.
struct Withholding {
  /// None: nothing is withheld.
  const base::Secrets* secrets = nullptr;
  /// Whole lines are withheld, not the values in them.
  bool by_line = false;
};

/// Valid UTF-8, without known secrets, within the limit. Secrets go first: one that is cut in two
/// would no longer be known. Nothing else is changed: the model writes back what it reads.
void make_presentable(ToolAnswer& answer, std::size_t limit, const Withholding& withholding);

/// The text without known secrets; for what a tool cuts itself.
[[nodiscard]] std::string without_secrets(std::string text, const base::Secrets* secrets);
/// Whether a tool must not show this content; false without secrets.
[[nodiscard]] bool holds_secret(std::string_view content, const base::Secrets* secrets);

}  // namespace clever::tool::internal
