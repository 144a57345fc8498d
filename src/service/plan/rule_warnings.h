#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "engine/rule_check.h"
#include "engine/runtime.h"
#include "service/context.h"
#include "service/report.h"

// Warnings of rules that can match no tool call. Private to the module.
namespace clever::service {

/// Everything that a rule can name: the built-in tools, those of files and skills, trusted or not,
/// and the MCP servers. Starts no server. An error: trust.json cannot be read.
[[nodiscard]] base::Result<engine::KnownTools> known_tools(Context& context,
                                                           const config::Settings& settings,
                                                           const std::filesystem::path& project);

/// The rules of new plans: a person reads of one that can match nothing before the plans work, and
/// of one that the tools of the MCP servers proved to match nothing afterwards. Used by one thread.
class RuleWarnings {
 public:
  RuleWarnings(Context& context, const config::Settings& settings, std::filesystem::path project)
      : context_(context), settings_(settings), project_(std::move(project)) {}

  /// Says at once, on standard error, what is wrong with the rules of a plan that is to work.
  base::Result<void> check(const model::Control& control);
  /// Says a sentence at once, unless it was said already.
  void say(std::string sentence);
  /// The sentences that check() did not say, now that servers have answered.
  [[nodiscard]] std::vector<std::string> later(const engine::KnownTools& answered) const;
  /// Adds all sentences to the report.
  void report(const engine::KnownTools& answered, Report& report) const;

 private:
  Context& context_;
  const config::Settings& settings_;
  const std::filesystem::path project_;
  engine::KnownTools known_;
  std::vector<engine::PlacedRule> rules_;
  std::vector<std::string> said_;
};

}  // namespace clever::service
