#include <array>

#include "base/check.h"
#include "config/schema.h"
#include "service/commands/init_findings.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kWidth = 96;

// The settings that a project most likely needs, in this order.
constexpr std::array<std::string_view, 7> kShown{
    "model.default",       "model.fallback",         "subplan.max_parallel", "subplan.fail_fast",
    "subplan.max_retries", "subplan.merge_strategy", "sandbox.include"};

std::string comment(std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, kWidth)) lines += "# " + line + "\n";
  return lines;
}

// Formats a value as the file holds it.
std::string value_of(const config::KeyInfo& key, const std::string& text) {
  const bool bare = key.type == config::Type::kInteger || key.type == config::Type::kBoolean ||
                    key.type == config::Type::kNumber;
  if (bare) return text;
  if (config::is_list(key.type)) return "[]";
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

std::string validation_text(const FoundTests& tests, bool in_force) {
  const std::string mark = in_force ? "" : "# ";
  std::string command;
  for (const char c : tests.check()) {
    if (c == '"' || c == '\\') command += '\\';
    command += c;
  }
  return mark + "[[validation]]\n" + mark + "name = \"" + tests.kind + "\"\n" + mark +
         "command = \"" + command + "\"\n";
}

// Goes to the end of the file: what follows a table's header belongs to that table.
std::string validations_text(const InitFindings& findings, bool in_force) {
  std::string text = "\n" + comment(
                                "Checks of a plan's work, each run in a copy of it before it lands "
                                "(`agents validation`). "
                                "A command of this file is used once `agents trust` has shown it.");
  if (findings.tests.empty()) {
    return text + "# [[validation]]\n# name = \"tests\"\n# command = \"make test\"\n";
  }
  for (const FoundTests& tests : findings.tests) text += validation_text(tests, in_force);
  return text;
}

}  // namespace

std::string initial_config(const InitFindings& findings, bool validates) {
  std::string text =
      comment(
          "Settings of this project for agents (`agents config list` shows all). What is a comment "
          "is not set: take away the # in front of a line, and of the [table] above it.") +
      "#\n" + found_text(findings);
  std::string table;
  for (const std::string_view name : kShown) {
    const std::string above(name.substr(0, name.find('.')));
    if (above != table) text += "\n# [" + above + "]\n";
    table = above;
    text += setting(name, findings);
  }
  return text + validations_text(findings, validates);
}

}  // namespace clever::service
