#include "confine/support.h"
#include "service/diagnostics/sections.h"

namespace clever::service {
namespace {

Checks::Check check_of(const confine::Feature& feature) {
  if (feature.available) {
    return {feature.name, Verdict::kOk, feature.detail.empty() ? "works" : feature.detail, ""};
  }
  if (feature.required) {
    return {feature.name, Verdict::kFail, feature.detail,
            "without it commands only run with --unconfined"};
  }
  return {feature.name, Verdict::kWarn, feature.detail, "commands are confined less tightly"};
}

}  // namespace

Checks check_confinement(Context& context) {
  Checks checks{"confinement", {}};
  for (const confine::Feature& feature : confine::features(context.launcher())) {
    checks.checks.push_back(check_of(feature));
  }
  return checks;
}

}  // namespace clever::service
