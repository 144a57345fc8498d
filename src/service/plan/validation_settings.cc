#include "service/plan/validation_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/schema.h"
#include "engine/offer/project_commands.h"

namespace clever::service {
namespace {

using model::Validation;

bool has_name(const std::vector<Validation>& all, const std::string& name) {
  return std::ranges::find(all, name, &Validation::name) != all.end();
}

void add_with_own_name(std::vector<Validation>& all, Validation validation) {
  const std::string wanted = validation.name;
  for (int i = 1; has_name(all, validation.name); ++i) {
    validation.name =
        wanted + " (" + validation.origin + (i == 1 ? "" : " " + std::to_string(i)) + ")";
  }
  all.push_back(std::move(validation));
}

// The validation counts, but does not run before a person has looked at it.
void add_untrusted(ProjectValidations& found, Validation validation,
                   const engine::NamedCommand& named) {
  ++found.untrusted;
  if (!validation.required) return;
  validation.untrusted = {named.name};
  validation.untrusted.insert(validation.untrusted.end(), named.argv.begin(), named.argv.end());
  add_with_own_name(found.validations, std::move(validation));
}

}  // namespace

base::Result<Validation> validation_of(const config::Table& table) {
  Validation validation{.name = table.text("name"),
                        .tool = table.text("tool"),
                        .arguments = table.text("arguments"),
                        .required = table.text("required") != "false",
                        .timeout = config::duration_of(table.text("timeout")),
                        .origin = table.of_project ? "project" : "user"};
  if (const auto command = table.values.find("command"); command != table.values.end()) {
    validation.argv = command->second;
  }
  if (validation.arguments.empty()) return validation;
  const auto arguments = nlohmann::json::parse(validation.arguments, nullptr, false);
  if (!arguments.is_object()) {
    return base::corruption(table.place +
                            ": arguments: expected a table such as { path = \"src\" }, "
                            "or a JSON object in quotes");
  }
  validation.arguments = arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return validation;
}

base::Result<ProjectValidations> validations_of(const config::Settings& settings,
                                                const std::filesystem::path& project,
                                                const engine::TrustStore& trust) {
  ProjectValidations found;
  for (const config::Table& table : settings.tables("validation")) {
    CLEVER_ASSIGN(Validation validation, validation_of(table));
    const engine::NamedCommand named = engine::named_command("validation", table);
    if (table.of_project && !trust.trusts(project, {named})) {
      add_untrusted(found, std::move(validation), named);
    } else {
      add_with_own_name(found.validations, std::move(validation));
    }
  }
  return found;
}

base::Result<std::vector<Validation>> plan_validations(const config::Settings& settings,
                                                       const std::filesystem::path& project,
                                                       const engine::TrustStore& trust,
                                                       const engine::Action& action,
                                                       const std::vector<std::string>& commands,
                                                       std::size_t& untrusted) {
  CLEVER_ASSIGN(ProjectValidations found, validations_of(settings, project, trust));
  for (const Validation& validation : action.validations) {
    const engine::NamedCommand named = engine::named_validation(validation, action.place);
    if (action.of_project && !trust.trusts(project, {named})) {
      add_untrusted(found, validation, named);
    } else {
      add_with_own_name(found.validations, validation);
    }
  }
  untrusted += found.untrusted;
  for (const std::string& command : commands) {
    add_with_own_name(found.validations,
                      {.name = command, .argv = {"sh", "-c", command}, .origin = "plan"});
  }
  return std::move(found.validations);
}

base::Result<void> add_validations(Context& context, const ControlRequest& request,
                                   model::PlanSettings& settings) {
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  std::size_t untrusted = 0;
  CLEVER_ASSIGN(settings.control.validations,
                plan_validations(request.settings, request.project, trust, request.action,
                                 request.validations, untrusted));
  return {};
}

std::string shown_command(const Validation& validation) {
  if (!validation.tool.empty()) {
    return validation.tool + (validation.arguments.empty() ? "" : " " + validation.arguments);
  }
  const auto& argv = validation.argv;
  if (argv.size() == 3 && argv[0] == "sh" && argv[1] == "-c") return argv[2];
  std::string text;
  for (const std::string& word : argv) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace clever::service
