#include "config/settings.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"

namespace clever::service {
namespace {

base::Result<Report> get(const Invocation& invocation, Context& context) {
  const std::string& key = invocation.word(0);
  CLEVER_TRY(known_key(key));
  if (!sees_setting(context, key)) {
    return base::permission_denied(key + " is shown to administrators alone: ask one");
  }
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  const auto value = settings->find(key);
  if (!value || (value->layer == config::Layer::kDefault && value->text.empty())) {
    return failed(base::not_found(key + " is not set"),
                  "`agents config set " + key + " VALUE` sets it");
  }
  Report report;
  report.data.set("key", key)
      .set("value", value->text)
      .set("layer", config::to_string(value->layer))
      .set("origin", value->origin);
  report.view = {Raw{value->text + "\n"}};
  return report;
}

}  // namespace

Command config_get_command() {
  return {.name = "get",
          .summary = "Print the value of a setting",
          .description = "Prints the value in force. Exits with 3 if the setting has none.",
          .positionals = {key_positional()},
          .examples = {{"agents config get model.default", "Which model is used"}},
          .handler = get};
}

}  // namespace clever::service
