// Every rule that the documents show does what they say: each is looked up in the table below, and
// held against the same check that a plan's calls are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "config/schema.h"
#include "engine/permission_rules.h"
#include "engine/sensitive_changes.h"
#include "io/file.h"
#include "support/built_paths.h"

namespace clever::engine {
namespace {

using nlohmann::json;

/// A call, by tool and arguments.
struct Call {
  std::string tool{};
  json arguments{};
};

/// A documented rule: a call that it is about and one that it is not.
struct ShownRule {
  Call about{};
  Call other{};
};

Call runs(const char* command) { return {"run_command", {{"command", command}}}; }
Call writes(const char* path) { return {"write_file", {{"path", path}, {"content", ""}}}; }
Call merges() { return {"mcp__github__merge", {{"branch", "main"}}}; }

const std::map<std::string, ShownRule>& shown_rules() {
  static const std::map<std::string, ShownRule> kShown{
      {"run_command", {runs("ls"), writes("a")}},
      {"run_command(git status *)", {runs("git status -s"), runs("git push")}},
      {"run_command(make *)", {runs("make all"), runs("cmake all")}},
      {"run_command(git push *)", {runs("true; git push"), runs("git status")}},
      {"run_command(rm *)", {runs("sudo rm a"), runs("ls")}},
      {"run_command(npm publish *)", {runs("npm publish"), runs("npm test")}},
      {"write_file(docs/**)", {writes("docs/a/b.md"), writes("src/a.md")}},
      {"write_file", {writes("a"), runs("ls")}},
      {"delete_file", {{"delete_file", {{"path", "a"}}}, writes("a")}},
      {"read_file", {{"read_file", {{"path", "a"}}}, writes("a")}},
      {"mcp__*", {merges(), runs("ls")}},
      {"mcp__github__*", {merges(), {"mcp__gitlab__merge", json::object()}}},
      {"mcp__SERVER__TOOL", {{"mcp__SERVER__TOOL", json::object()}, merges()}},
      {"mcp__NAME__TOOL", {{"mcp__NAME__TOOL", json::object()}, merges()}},
      {"SERVER__TOOL", {{"mcp__SERVER__TOOL", json::object()}, merges()}},
  };
  return kShown;
}

plan::CallVerdict verdict(const Call& call, model::Verdict verdict, const std::string& rule) {
  plan::State plan;
  plan.project = "/p";
  plan.settings.profile = "auto";
  plan.settings.control.permissions = {{verdict, rule, "the documents"}};
  const tool::ToolSpec spec{.name = call.tool};
  return verdict_of(plan, {.name = call.tool, .arguments = call.arguments.dump()}, &spec);
}

std::string text_of(const std::filesystem::path& file) { return io::read_file(file).value(); }

// What stands between quotes in lines that set rules, and in back quotes wherever a rule is shown.
std::set<std::string> rules_in_document(const std::string& text) {
  std::set<std::string> rules;
  const auto add_all = [&](const std::string& line, const std::regex& pattern) {
    for (std::sregex_iterator at(line.begin(), line.end(), pattern), end; at != end; ++at) {
      const std::string rule = (*at)[1];
      // "run_command(…)" stands for any.
      if (rule.find("\u2026") == std::string::npos) rules.insert(rule);
    }
  };
  static const std::regex kSets(
      R"(^\s*(?:permissions\.)?(allow|ask|deny|match)\s*=|(denied_tools|allowed_tools)\s*=)");
  static const std::regex kQuoted("\"([^\"]+)\"");
  static const std::regex kEscapedStar(R"(\\\*)");
  static const std::regex kInWords(
      R"(\b((?:run_command|write_file|read_file|delete_file|sensitive)\([^)`]+\)|mcp__[A-Za-z_]*\*?))");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    // A table of the reference escapes stars.
    const std::string line = std::regex_replace(text.substr(begin, end - begin), kEscapedStar, "*");
    begin = end + 1;
    if (std::regex_search(line, kSets)) {
      add_all(line, kQuoted);
    } else {
      add_all(line, kInWords);
    }
  }
  return rules;
}

std::set<std::string> documented_rules() {
  std::set<std::string> rules;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(test::source_root() / "docs")) {
    if (entry.path().extension() != ".md") continue;
    rules.merge(rules_in_document(text_of(entry.path())));
  }
  return rules;
}

bool is_about_changes(const std::string& rule) { return rule.starts_with("sensitive"); }

TEST(DocumentedRules, AreAllInTheTable) {
  const std::set<std::string> rules = documented_rules();
  EXPECT_GE(rules.size(), 8U);
  for (const std::string& rule : rules) {
    if (is_about_changes(rule)) {
      const auto pattern = model::parse_permission(rule);
      ASSERT_TRUE(pattern.ok()) << rule;
      EXPECT_EQ(sensitive_complaint(pattern->argument), "") << rule;
      continue;
    }
    EXPECT_TRUE(shown_rules().contains(rule))
        << "the documents show the rule \"" << rule << "\": add it to the table of this test";
  }
}

TEST(DocumentedRules, DenyAskAndAllowWhatTheySay) {
  for (const auto& [rule, shown] : shown_rules()) {
    ASSERT_TRUE(model::parse_permission(rule).ok()) << rule;
    for (const model::Verdict wanted : {model::Verdict::kDeny, model::Verdict::kAsk}) {
      EXPECT_EQ(verdict(shown.about, wanted, rule).verdict, wanted) << rule;
      EXPECT_EQ(verdict(shown.other, wanted, rule).verdict, model::Verdict::kAllow) << rule;
    }
  }
}

TEST(DocumentedRules, AllowTurnsOnWhatIsUnsafe) {
  for (const auto& [rule, shown] : shown_rules()) {
    plan::State plan;
    plan.project = "/p";
    plan.settings.control.permissions = {{model::Verdict::kAllow, rule, "the documents"}};
    tool::ToolSpec spec{.name = shown.other.tool};
    spec.capabilities.unsafe = true;
    const model::ToolCall call{.name = shown.other.tool, .arguments = shown.other.arguments.dump()};
    EXPECT_EQ(verdict_of(plan, call, &spec).verdict, model::Verdict::kDeny) << rule;
  }
}

TEST(DocumentedRules, GuardsTakeTheNames) {
  for (const auto& [rule, shown] : shown_rules()) {
    if (rule.find('(') != std::string::npos) continue;
    plan::State plan;
    plan.settings.control.guards.denied_tools = {rule};
    const tool::ToolSpec spec{.name = shown.about.tool};
    const model::ToolCall call{.name = shown.about.tool, .arguments = "{}"};
    EXPECT_EQ(verdict_of(plan, call, &spec).verdict, model::Verdict::kDeny) << rule;
  }
}

}  // namespace
}  // namespace clever::engine
