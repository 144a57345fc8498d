#pragma once
#include <cstddef>

#include "base/redact.h"
#include "tool/json_schema.h"
#include "tool/tool.h"

// What becomes of a tool's answer before anybody reads it.
namespace clever::tool::internal {

/// Structured output that is no JSON, or not of the promised form, is dropped, and the answer says
/// so as a failure.
void check_structured(ToolAnswer& answer, const JsonSchema* promised);

/// Valid UTF-8, without secrets, within the limit. Secrets go first: one that is cut in two would
/// no longer be known.
void make_presentable(ToolAnswer& answer, std::size_t limit, const base::Redactor* redactor);

}  // namespace clever::tool::internal
