#include "confine/support.h"

#include "confine/internal/probe.h"
#include "io/process.h"

namespace clever::confine {
namespace {

base::Result<std::vector<Feature>> ask(const Launcher& launcher) {
  io::ProcessOptions options{.argv = launcher.argv};
  options.argv.emplace_back("probe");
  CLEVER_ASSIGN(const io::ProcessResult result, io::run_process(options));
  CLEVER_ASSIGN(std::vector<Feature> features, internal::parse_features(result.output));
  if (!result.succeeded() || features.empty()) {
    return base::unavailable("the supervisor does not answer");
  }
  return features;
}

}  // namespace

std::vector<Feature> features(const Launcher& launcher) {
  auto found = ask(launcher);
  if (found.ok()) return std::move(found).value();
  return {{.name = "the supervisor of commands",
           .required = true,
           .available = false,
           .detail = found.error().sentence()}};
}

base::Result<void> check_required(const std::vector<Feature>& features) {
  std::string missing;
  for (const Feature& feature : features) {
    if (!feature.required || feature.available) continue;
    missing += (missing.empty() ? "" : "; ") + feature.name + ": " + feature.detail;
  }
  if (missing.empty()) return {};
  return base::unavailable("this machine cannot confine commands: " + missing +
                           "; --unconfined runs them without protection");
}

}  // namespace clever::confine
