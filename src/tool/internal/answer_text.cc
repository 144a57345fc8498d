#include "tool/internal/answer_text.h"

#include "base/utf8.h"
#include "tool/internal/json_text.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

constexpr JsonLimits kStructured{JsonSchema::kLargestInput, JsonSchema::kDeepest};

void refuse(ToolAnswer& answer, const base::Error& error) {
  answer.structured.clear();
  answer.failed = true;
  if (!answer.text.empty()) answer.text += "\n\n";
  answer.text += "the tool's answer does not match its output schema: " + error.sentence();
}

}  // namespace

void check_structured(ToolAnswer& answer, const JsonSchema* promised) {
  if (promised == nullptr && answer.structured.empty()) return;
  // A failure need not match the output schema.
  if (answer.failed && answer.structured.empty()) return;
  if (promised != nullptr) {
    const auto checked = promised->check(answer.structured);
    if (!checked.ok()) refuse(answer, checked.error());
  } else if (const auto parsed = parse_json(answer.structured, kStructured); !parsed.ok()) {
    refuse(answer, parsed.error());
  }
}

std::string without_secrets(std::string text, const base::Secrets* secrets) {
  return secrets != nullptr && secrets->found_in(text) ? secrets->withhold(text) : text;
}

bool holds_secret(std::string_view content, const base::Secrets* secrets) {
  return secrets != nullptr && secrets->found_in(content);
}

void make_presentable(ToolAnswer& answer, std::size_t limit, const Withholding& withholding) {
  const base::Secrets* secrets = withholding.secrets;
  std::string text = base::to_valid_utf8(answer.text);
  if (holds_secret(text, secrets)) {
    text = withholding.by_line ? secrets->withhold_lines(text) : secrets->withhold(text);
  }
  answer.text = cut_middle(text, limit);
  answer.truncated = answer.truncated || text.size() > limit;
  answer.structured = without_secrets(base::to_valid_utf8(answer.structured), secrets);
  if (answer.structured.size() <= limit) return;
  answer.structured.clear();
  answer.truncated = true;
}

}  // namespace clever::tool::internal
