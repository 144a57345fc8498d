#include "service/plan/rule_warnings.h"

#include <algorithm>

#include "engine/actor/context_tools.h"
#include "engine/actor/turn_request.h"
#include "engine/offer/skill_tools.h"
#include "service/plan/trusted_commands.h"
#include "tool/builtin_tools.h"

namespace clever::service {
namespace {

void say_now(const std::string& sentence, Context& context) {
  const Screen screen = context.screen();
  if (screen.quiet || is_for_programs(screen.format) || !screen.say) return;
  // The report repeats it, in case standard error is closed.
  static_cast<void>(screen.say(
      {Prose{{{{"warning:", Tone::kWarn}, {" " + context.redactor().redact(sentence)}}}}}));
}

// Includes the servers' answers.
engine::KnownTools updated(engine::KnownTools known, const engine::KnownTools& answered) {
  for (engine::KnownTools::Server& server : known.servers) {
    server.answered =
        std::ranges::find(answered.servers, server.name, &engine::KnownTools::Server::name) !=
        answered.servers.end();
  }
  known.tools.insert(known.tools.end(), answered.tools.begin(), answered.tools.end());
  return known;
}

}  // namespace

base::Result<engine::KnownTools> known_tools(Context& context, const config::Settings& settings,
                                             const std::filesystem::path& project) {
  CLEVER_ASSIGN(const ProjectTrust found, project_trust(context, settings, project));
  engine::KnownTools known;
  const auto add = [&](const std::vector<std::shared_ptr<tool::Tool>>& tools) {
    for (const auto& tool : tools) known.tools.push_back(tool->spec());
  };
  // Only lists them; runs nothing.
  add(tool::builtin_tools(
      {.commands = tool::CommandWorld::when_needed(context.clock(), tool::CommandOptions{})}));
  engine::FilesContext nothing;
  add(engine::context_tools({.source = nothing}));
  add(engine::skill_tools(found.offer.skills));
  for (const engine::OfferedTool& tool : found.offer.tools) known.tools.push_back(tool.tool.spec);
  for (const engine::McpServer& server : found.offer.servers) {
    known.servers.push_back({.name = server.name});
  }
  return known;
}

base::Result<void> RuleWarnings::check(const model::Control& control) {
  std::vector<engine::PlacedRule> rules = engine::rules_in(control);
  if (rules.empty()) return {};
  if (known_.tools.empty()) {
    CLEVER_ASSIGN(known_, known_tools(context_, settings_, project_));
  }
  for (std::string& sentence : engine::rules_without_effect(rules, known_)) {
    say(std::move(sentence));
  }
  for (engine::PlacedRule& rule : rules) {
    if (std::ranges::find(rules_, rule) == rules_.end()) rules_.push_back(std::move(rule));
  }
  return {};
}

void RuleWarnings::say(std::string sentence) {
  if (std::ranges::find(said_, sentence) != said_.end()) return;
  say_now(sentence, context_);
  said_.push_back(std::move(sentence));
}

std::vector<std::string> RuleWarnings::later(const engine::KnownTools& answered) const {
  if (rules_.empty()) return {};
  auto sentences = engine::rules_without_effect(rules_, updated(known_, answered));
  std::erase_if(sentences, [&](const std::string& sentence) {
    return std::ranges::find(said_, sentence) != said_.end();
  });
  return sentences;
}

void RuleWarnings::report(const engine::KnownTools& answered, Report& report) const {
  for (const std::string& sentence : said_) {
    report.warn(sentence);
    report.messages.back().said = true;
  }
  for (std::string& sentence : later(answered)) report.warn(std::move(sentence));
}

}  // namespace clever::service
