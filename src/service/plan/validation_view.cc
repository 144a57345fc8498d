#include "service/plan/validation_view.h"

#include <algorithm>
#include <utility>

#include "base/redact.h"
#include "service/amounts.h"

namespace clever::service {
namespace {

Verdict verdict_on_result(const model::ValidationResult& result) {
  if (result.passed) return Verdict::kOk;
  return result.required ? Verdict::kFail : Verdict::kWarn;
}

}  // namespace

Document results_document(const std::vector<model::ValidationResult>& results) {
  Document list = Document::list();
  for (const model::ValidationResult& result : results) {
    list.push(Document::map()
                  .set("name", result.name)
                  .set("required", result.required)
                  .set("passed", result.passed)
                  .set("ran", result.ran)
                  .set("outcome", result.outcome)
                  .set("took_ms", static_cast<std::int64_t>(result.took.count()))
                  .set("output", base::redact(result.output)));
  }
  return list;
}

Document validation_document(const model::ValidationsRan& ran) {
  return Document::map()
      .set("passed", ran.passed())
      .set("tree", ran.tree)
      .set("results", results_document(ran.results));
}

Checks results_view(const std::vector<model::ValidationResult>& results) {
  Checks checks{"validations", {}};
  for (const model::ValidationResult& result : results) {
    checks.checks.push_back({result.name, verdict_on_result(result), result_text(result), ""});
  }
  return checks;
}

View failed_outputs(const std::vector<model::ValidationResult>& results) {
  View view;
  for (const model::ValidationResult& result : results) {
    if (result.passed || result.output.empty()) continue;
    view.emplace_back(Prose{{{{"output of " + result.name + ":", Tone::kStrong}}}});
    const std::string output = base::redact(result.output);
    view.emplace_back(Raw{output.ends_with('\n') ? output : output + "\n"});
  }
  return view;
}

std::string result_text(const model::ValidationResult& result) {
  if (result.passed) return "passed in " + seconds_text(result.took);
  if (!result.ran) {
    const bool says_so = result.outcome.starts_with("could not be run");
    return (says_so ? "" : "not run: ") + result.outcome;
  }
  return std::string(result.required ? "failed: " : "failed (informational): ") + result.outcome +
         " (" + seconds_text(result.took) + ")";
}

bool all_passed(const std::vector<model::ValidationResult>& results) {
  return std::ranges::none_of(results, [](const model::ValidationResult& result) {
    return result.required && !result.passed;
  });
}

}  // namespace clever::service
