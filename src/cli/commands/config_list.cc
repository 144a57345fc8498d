#include "base/redact.h"
#include "cli/commands/commands.h"
#include "cli/commands/config.h"
#include "config/settings.h"

namespace clever::cli {
namespace {

std::vector<Span> row(const std::string& key, const config::Value& value) {
  const bool by_default = value.layer == config::Layer::kDefault;
  const Span shown = value.text.empty() ? Span{"-", Tone::kDim} : Span{base::redact(value.text)};
  return {{key, by_default ? Tone::kPlain : Tone::kAccent},
          shown,
          {std::string(config::to_string(value.layer)), by_default ? Tone::kDim : Tone::kGood}};
}

base::Result<Report> list(const Invocation&, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  Report report;
  Table table{"", {"key", "value", "from"}, {}};
  Document items = Document::list();
  for (const auto& [key, value] : settings->list()) {
    table.rows.push_back(row(key, value));
    items.push(Document::map()
                   .set("key", key)
                   .set("value", base::redact(value.text))
                   .set("layer", config::to_string(value.layer))
                   .set("origin", value.origin));
  }
  report.data.set("settings", std::move(items));
  report.view = {std::move(table)};
  return report;
}

}  // namespace

Command config_list_command() {
  return {
      .name = "list",
      .summary = "List every setting, its value and where that comes from",
      .description =
          "Lists every setting with the value in force and the layer it comes from. "
          "Passwords and keys are not shown.",
      .examples = {{"agents config list", "A table for people"},
                   {"agents config list --format json", "With the file and line of each value"}},
      .handler = list};
}

}  // namespace clever::cli
