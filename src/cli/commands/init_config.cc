#include <array>

#include "base/check.h"
#include "cli/commands/init_findings.h"
#include "cli/text.h"
#include "config/schema.h"

namespace clever::cli {
namespace {

constexpr std::size_t kWidth = 96;

// The settings that a project is most likely to want, in this order.
constexpr std::array<std::string_view, 7> kShown{
    "model.default",       "model.fallback",         "subplan.max_parallel", "subplan.fail_fast",
    "subplan.max_retries", "subplan.merge_strategy", "sandbox.include"};

std::string comment(std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, kWidth)) lines += "# " + line + "\n";
  return lines;
}

// As it would stand in the file.
std::string value_of(const config::KeyInfo& key, const std::string& text) {
  const bool bare = key.type == config::Type::kInteger || key.type == config::Type::kBoolean ||
                    key.type == config::Type::kNumber;
  if (bare) return text;
  if (key.type == config::Type::kList || key.type == config::Type::kModels) return "[]";
  return "\"" + text + "\"";
}

std::string setting(std::string_view name, const InitFindings& findings) {
  const config::KeyInfo* key = config::find_key(name);
  CLEVER_CHECK(key != nullptr && key->project_may_set, "a setting that no project can make");
  const bool model = name == "model.default";
  const std::string example = findings.model.empty() ? "provider/model" : findings.model;
  const std::string last(name.substr(name.find('.') + 1));
  return comment(key->description) + "# " + last + " = " +
         value_of(*key, model ? example : key->default_value) + "\n";
}

std::string found_text(const InitFindings& findings) {
  std::string text;
  for (const FoundTests& tests : findings.tests) {
    text += comment("Tests (" + tests.kind + "): " + tests.command);
  }
  if (findings.tests.empty()) text += comment("Tests: none were found");
  return text + comment("AGENTS.md is where plans look for how to build and test.");
}

}  // namespace

std::string initial_config(const InitFindings& findings) {
  std::string text =
      comment(
          "Settings of this project for agents (`agents config list` shows all). Nothing is "
          "set here yet: take away the # in front of a line, and of the [table] above it.") +
      "#\n" + found_text(findings);
  std::string table;
  for (const std::string_view name : kShown) {
    const std::string above(name.substr(0, name.find('.')));
    if (above != table) text += "\n# [" + above + "]\n";
    table = above;
    text += setting(name, findings);
  }
  return text;
}

}  // namespace clever::cli
