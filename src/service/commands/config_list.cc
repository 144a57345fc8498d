#include "base/redact.h"
#include "config/settings.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"

namespace clever::service {
namespace {

std::vector<Span> setting_row(const std::string& key, const config::Value& value) {
  const bool by_default = value.layer == config::Layer::kDefault;
  const Span shown = value.text.empty() ? Span{"-", Tone::kDim} : Span{base::redact(value.text)};
  return {{key, by_default ? Tone::kPlain : Tone::kAccent},
          shown,
          {std::string(config::to_string(value.layer)), by_default ? Tone::kDim : Tone::kGood}};
}

std::string shown_value(const config::KeyInfo& key, const std::vector<std::string>& texts) {
  const bool shell = texts.size() == 3 && texts[0] == "sh" && texts[1] == "-c";
  if (key.type == config::Type::kCommand && shell) return base::redact(texts[2]);
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : " ") + base::redact(one);
  return text;
}

Document table_document(const config::TableInfo& info, const config::Table& table) {
  Document values = Document::map();
  for (const config::KeyInfo& key : info.keys) {
    const auto found = table.values.find(key.name);
    if (found != table.values.end()) values.set(key.name, shown_value(key, found->second));
  }
  return Document::map()
      .set("table", info.name)
      .set("values", std::move(values))
      .set("layer", table.of_project ? "project" : "user")
      .set("origin", table.place);
}

// Shows "[[validation]] tests" with what runs and the layer; JSON has the other keys.
std::vector<Span> table_row(const config::TableInfo& info, const config::Table& table) {
  std::string value;
  for (const std::string_view key : {"command", "tool"}) {
    const config::KeyInfo* known = config::find_key(info.keys, key);
    const auto found = table.values.find(std::string(key));
    if (known != nullptr && found != table.values.end()) value = shown_value(*known, found->second);
  }
  const std::string name = table.text("name").empty() ? table.text("event") : table.text("name");
  return {{"[[" + info.name + "]] " + base::redact(name), Tone::kAccent},
          {value},
          {table.of_project ? "project" : "user", Tone::kGood}};
}

void add_tables(const config::Settings& settings, const Context& context, Table& view,
                Document& items) {
  for (const config::TableInfo& info : config::table_schema()) {
    for (const config::Table& table : settings.tables(info.name)) {
      if (!table.of_project && !sees_home_settings(context)) continue;
      view.rows.push_back(table_row(info, table));
      items.push(table_document(info, table));
    }
  }
}

base::Result<Report> list_settings(const Invocation&, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  Report report;
  Table table{"", {"key", "value", "from"}, {}};
  Document items = Document::list();
  for (const auto& [key, value] : settings->list()) {
    if (!sees_setting(context, key)) continue;
    table.rows.push_back(setting_row(key, value));
    items.push(Document::map()
                   .set("key", key)
                   .set("value", base::redact(value.text))
                   .set("layer", config::to_string(value.layer))
                   .set("origin", value.origin));
  }
  Document tables = Document::list();
  add_tables(*settings, context, table, tables);
  report.data.set("settings", std::move(items)).set("tables", std::move(tables));
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
          "Passwords and keys are not shown. At a server, endpoints, hosts, confinement and what "
          "the home's files run are shown to administrators alone.",
      .examples = {{"agents config list", "A table for people"},
                   {"agents config list --format json", "With the file and line of each value"}},
      .handler = list_settings};
}

}  // namespace clever::service
