#include <chrono>

#include "io/process.h"
#include "service/diagnostics/sections.h"

namespace clever::service {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

base::Result<io::ProcessResult> git(Context& context, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "git");
  return io::run_process(
      {.argv = std::move(arguments),
       .working_directory = context.directory(),
       .deadline = base::Deadline::after(context.clock(), std::chrono::seconds{5})});
}

Checks::Check repository(Context& context) {
  const auto found = git(context, {"rev-parse", "--show-toplevel"});
  if (!found.ok()) return {"repository", Verdict::kWarn, found.error().sentence(), ""};
  if (found->succeeded()) return {"repository", Verdict::kOk, first_line(found->output), ""};
  const std::string reason = first_line(found->error_output);
  if (reason.find("dubious ownership") != std::string::npos) {
    return {"repository", Verdict::kWarn, reason, "git config --global --add safe.directory DIR"};
  }
  return {"repository", Verdict::kOk, "none here", ""};
}

}  // namespace

Checks check_git(Context& context) {
  Checks section{"git", {}};
  const auto version = git(context, {"--version"});
  if (!version.ok() || !version->succeeded()) {
    section.checks.push_back(
        {"command", Verdict::kWarn,
         version.ok() ? first_line(version->error_output) : version.error().sentence(),
         "install git: work on repositories needs it"});
    return section;
  }
  section.checks.push_back({"command", Verdict::kOk, first_line(version->output), ""});
  section.checks.push_back(repository(context));
  return section;
}

}  // namespace clever::service
