#include "service/commands/validation.h"

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "base/redact.h"
#include "engine/trust.h"
#include "service/commands/commands.h"
#include "service/plan/validation_settings.h"

namespace clever::service {
namespace {

std::string_view validation_kind(const model::Validation& validation) {
  return validation.required ? "required" : "informational";
}

Table validations_table(const std::vector<ListedValidation>& all) {
  Table table{"", {"name", "runs", "kind", "timeout", "from"}, {}};
  for (const ListedValidation& one : all) {
    const model::Validation& validation = one.validation;
    table.rows.push_back(
        {{validation.name, Tone::kStrong},
         {base::redact(shown_command(validation))},
         {std::string(validation_kind(validation))},
         {shown_duration(validation.timeout)},
         one.trusted ? Span{validation.origin} : Span{"project, not trusted", Tone::kWarn}});
  }
  return table;
}

void warn_of_untrusted(const std::vector<ListedValidation>& all, Report& report) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(all, [](const ListedValidation& one) { return !one.trusted; }));
  if (count > 0) report.warn(engine::untrusted_sentence(count));
}

base::Result<Report> list_validations(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const git::Project project, context.project());
  CLEVER_ASSIGN(const auto all, listed_validations(project, context));
  Report report;
  Document items = Document::list();
  for (const ListedValidation& one : all) items.push(validation_document(one));
  report.data.set("validations", std::move(items));
  if (all.empty()) {
    report.view = {Prose{{{{"No validation is set, so nothing is checked before apply. "},
                           {"agents validation add tests -- make test", Tone::kStrong},
                           {" adds a check, and `agents init` offers those it finds."}}}}};
  } else {
    report.view = {validations_table(all)};
  }
  warn_of_untrusted(all, report);
  return report;
}

base::Result<Report> show_validation(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const git::Project project, context.project());
  CLEVER_ASSIGN(const auto all, listed_validations(project, context));
  CLEVER_ASSIGN(const ListedValidation one, find_validation(all, invocation.word(0)));
  Report report;
  report.data = validation_document(one);
  const model::Validation& validation = one.validation;
  report.view = {Fields{validation.name,
                        {{validation.tool.empty() ? "command" : "tool",
                          {base::redact(shown_command(validation)), Tone::kStrong}},
                         {"kind", {std::string(validation_kind(validation))}},
                         {"timeout", {shown_duration(validation.timeout)}},
                         {"from", {one.place, Tone::kDim}}}}};
  warn_of_untrusted({one}, report);
  return report;
}

Command list_command() {
  return {.name = "list",
          .summary = "List the validations of this project",
          .description =
              "Lists the validations in your settings and the project's. An action may add its "
              "own, and `agents run --validate` adds one to a plan.",
          .examples = {{"agents validation list", "What runs before apply"},
                       {"agents validation list --format json", "For a program"}},
          .handler = list_validations};
}

Command show_command() {
  return {.name = "show",
          .summary = "Show a validation",
          .positionals = {{.name = "NAME", .summary = "As `agents validation list` shows it"}},
          .examples = {{"agents validation show tests", "What it runs, and where that is written"}},
          .handler = show_validation};
}

}  // namespace

base::Result<std::vector<ListedValidation>> listed_validations(const git::Project& project,
                                                               Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  std::vector<ListedValidation> all;
  for (const config::Table& table : settings->tables("validation")) {
    CLEVER_ASSIGN(model::Validation validation, validation_of(table));
    const bool trusted = !table.of_project ||
                         trust.trusts(project.root, {engine::named_command("validation", table)});
    all.push_back({std::move(validation), table.place, trusted});
  }
  return all;
}

base::Result<ListedValidation> find_validation(const std::vector<ListedValidation>& all,
                                               const std::string& name) {
  std::vector<std::string> names;
  for (const ListedValidation& one : all) {
    if (one.validation.name == name) return one;
    names.push_back(one.validation.name);
  }
  const auto nearest = base::nearest_match(name, names);
  return base::not_found(
      "there is no validation " + name +
      (nearest ? "; did you mean " + *nearest + "?" : "; `agents validation list` lists them"));
}

Document validation_document(const ListedValidation& listed) {
  const model::Validation& validation = listed.validation;
  Document data = Document::map().set("name", validation.name);
  if (validation.tool.empty()) {
    Document argv = Document::list();
    for (const std::string& word : validation.argv) argv.push(base::redact(word));
    data.set("command", base::redact(shown_command(validation))).set("argv", std::move(argv));
  } else {
    data.set("tool", validation.tool).set("arguments", base::redact(validation.arguments));
  }
  return std::move(data)
      .set("required", validation.required)
      .set("timeout_ms", static_cast<std::int64_t>(validation.timeout.count()))
      .set("origin", validation.origin)
      .set("place", listed.place)
      .set("trusted", listed.trusted);
}

std::string shown_duration(std::chrono::milliseconds time) {
  const auto count = time.count();
  if (count % 3'600'000 == 0) return std::to_string(count / 3'600'000) + "h";
  if (count % 60'000 == 0) return std::to_string(count / 60'000) + "m";
  if (count % 1'000 == 0) return std::to_string(count / 1'000) + "s";
  return std::to_string(count) + "ms";
}

Command validation_command() {
  return {.name = "validation",
          .summary = "Commands that must pass before a plan is applied",
          .description =
              "A validation is a command or a tool that changes nothing and passes or fails. All "
              "validations run in parallel, each confined in its own copy of the work, once a plan "
              "has done its steps. The plan gets up to three attempts to fix a failure; a required "
              "validation that still fails blocks apply.",
          .examples = {{"agents validation add tests -- make test", "Add one to this project"},
                       {"agents validation run", "Run all on the working tree, now"}},
          .subcommands = {list_command(), show_command(), validation_add_command(),
                          validation_remove_command(), validation_run_command()}};
}

}  // namespace clever::service
