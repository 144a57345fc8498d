#include "tool/internal/command_text.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/filled.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

constexpr std::size_t kMostPaths = 100;

char letter_of(const git::TreeDifference& change) {
  if (!change.before) return 'A';
  return change.after ? 'M' : 'D';
}

std::string section(std::string_view title, std::string_view text, std::size_t limit) {
  if (text.empty()) return {};
  std::string cut = cut_middle(base::to_valid_utf8(text), limit);
  if (!cut.ends_with('\n')) cut += '\n';
  return filled("--- {}\n{}", title, cut);
}

std::string first_line(const CommandReport& report) {
  if (report.failure) return report.failure->sentence() + "\n";
  const confine::Ending& ending = report.output->ending;
  std::string line = filled("exit code {}", ending.exit_code);
  if (ending.signal) line += filled(" (ended by signal {})", *ending.signal);
  if (!ending.remark.empty()) line += "\nthe command " + ending.remark;
  return line + "\n";
}

std::string structured(const CommandReport& report) {
  if (!report.output) return {};
  return nlohmann::json{{"exit_code", report.output->ending.exit_code},
                        {"changed_files", report.captured.changes.size()}}
      .dump();
}

}  // namespace

std::string describe_changes(const sandbox::Workspace::Captured& captured) {
  std::string text;
  for (std::size_t i = 0; i < std::min(captured.changes.size(), kMostPaths); ++i) {
    const git::TreeDifference& change = captured.changes[i];
    text += filled("{} {}\n", letter_of(change), git::printable(change.path.text()));
  }
  if (captured.changes.size() > kMostPaths) {
    text += filled("… and {} more\n", grouped(captured.changes.size() - kMostPaths));
  }
  for (std::size_t i = 0; i < std::min(captured.skipped.size(), kMostPaths); ++i) {
    text += filled("not kept: {}\n", git::printable(captured.skipped[i]));
  }
  if (captured.skipped.size() > kMostPaths) {
    text += filled("not kept: {} more\n", grouped(captured.skipped.size() - kMostPaths));
  }
  return text;
}

ToolAnswer describe_command(const CommandReport& report, std::size_t limit,
                            const base::Secrets* secrets) {
  const std::string changes =
      section("changed files", describe_changes(report.captured), limit / 4);
  ToolAnswer answer{.text = first_line(report)};
  answer.failed = report.failure.has_value() || report.output->ending.exit_code != 0;
  if (report.output) {
    const std::size_t used = answer.text.size() + changes.size() + 64;
    const std::size_t left = limit > used ? limit - used : 0;
    const std::string first = without_secrets(report.output->output, secrets);
    const std::string second = without_secrets(report.output->error_output, secrets);
    const std::size_t smaller = std::min(second.size(), left / 2);
    answer.text += section("stdout", first, left - smaller);
    answer.text += section("stderr", second, left - std::min(first.size(), left - smaller));
    answer.truncated = report.output->truncated || first.size() + second.size() > left;
  }
  answer.text += changes;
  answer.structured = structured(report);
  return answer;
}

}  // namespace clever::tool::internal
