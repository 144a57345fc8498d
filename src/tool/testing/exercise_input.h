#pragma once
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "tool/builtin_tools.h"
#include "tool/custom_tools.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/file_view.h"
#include "tool/internal/tool_input.h"
#include "tool/json_schema.h"

// Checks that hold for any text; shared by the fuzzers and tests.
namespace clever::tool::internal {

inline void check_message(const base::Error& error) {
  CLEVER_CHECK(base::is_utf8(error.message()), "a message that is no text");
  CLEVER_CHECK(error.message().size() < 100'000, "an endless message");
}

/// A schema that accepts an input also accepts its canonical form.
inline void exercise_schema(const JsonSchema& schema, std::string_view input) {
  const auto checked = schema.check(input);
  if (!checked.ok()) return check_message(checked.error());
  const auto again = schema.check(*checked);
  CLEVER_CHECK(again.ok() && *again == *checked, "the canonical form is not accepted");
}

/// Uses the text as input of every built-in tool; and split at a line `---`, as a schema and its
/// input.
inline void exercise_input(std::string_view text) {
  for (const auto& tool : builtin_tools({})) {
    exercise_schema(*JsonSchema::compile(tool->spec().input_schema).value(), text);
  }
  if (const auto input = ToolInput::parse(text); !input.ok()) check_message(input.error());
  const auto cut = text.find("\n---\n");
  const auto schema = JsonSchema::compile(text.substr(0, cut));
  if (!schema.ok()) return check_message(schema.error());
  exercise_schema(**schema, cut == std::string_view::npos ? text : text.substr(cut + 5));
  ToolAnswer answer{.text = std::string(text), .structured = std::string(text)};
  check_structured(answer, schema->get());
  base::Secrets secrets;
  secrets.add("a known secret of the test");
  make_presentable(answer, 100, {.secrets = &secrets, .by_line = true});
  CLEVER_CHECK(base::is_utf8(answer.text) && base::is_utf8(answer.structured), "not UTF-8");
  CLEVER_CHECK(answer.text.size() <= 100, "longer than the limit");
  const auto view = view_lines(text, {}, 1000);
  CLEVER_CHECK(!view.ok() || base::is_utf8(view->text), "not UTF-8");
}

inline void exercise_custom_tools(std::string_view text) {
  const auto tools = parse_custom_tools(text, "t.yaml");
  if (!tools.ok()) {
    CLEVER_CHECK(tools.error().code() == base::ErrorCode::kInvalidArgument, "another code");
    CLEVER_CHECK(tools.error().message().starts_with("t.yaml:"), tools.error().message());
    return check_message(tools.error());
  }
  CLEVER_CHECK(!tools->empty(), "a file without tools");
  for (const CustomTool& tool : *tools) {
    CLEVER_CHECK(!tool.argv.empty() && !tool.argv.front().empty(), "a tool without a command");
    CLEVER_CHECK(JsonSchema::compile(tool.spec.input_schema).ok(), "a schema that is none");
  }
}

}  // namespace clever::tool::internal
