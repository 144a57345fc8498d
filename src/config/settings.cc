#include "config/settings.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "config/internal/config_file.h"
#include "config/internal/document.h"
#include "config/internal/text.h"
#include "config/typed_value.h"
#include "io/file.h"

namespace clever::config {
namespace {

constexpr std::string_view kPrefix = "CLEVERAGENTS_";
// The program's variables that are not settings.
constexpr std::array<std::string_view, 2> kOtherVariables = {"CLEVERAGENTS_HOME",
                                                             "CLEVERAGENTS_SERVER"};

base::Error at(std::string_view origin, const base::Error& error) {
  return {error.code(), std::string(origin) + ": " + error.message()};
}

// Returns the key that a variable sets, or an empty text.
// Returns the key of this pattern that the variable names, or an empty text.
std::string key_of_pattern(const Schema& schema, const KeyInfo& info, std::string_view variable) {
  const std::size_t star = info.name.find('*');
  const std::string before = info.name.substr(0, star);
  const std::string after = info.name.substr(star + 1);
  const std::string prefix = environment_name(before);
  // The suffix as written in a variable: it is not a key of its own.
  const std::string suffix = environment_name(after).substr(kPrefix.size());
  const bool fits = variable.size() > prefix.size() + suffix.size() &&
                    variable.starts_with(prefix) && variable.ends_with(suffix);
  if (!fits) return {};
  const std::string_view name =
      variable.substr(prefix.size(), variable.size() - prefix.size() - suffix.size());
  std::string key = before;
  key.append(base::lower_case(name)).append(after);
  return find_key(schema, key) == &info ? key : std::string();
}

std::string key_of_variable(const Schema& schema, std::string_view variable) {
  for (const KeyInfo& info : schema) {
    if (!info.is_pattern() && environment_name(info.name) == variable) return info.name;
  }
  std::string key;
  std::size_t longest = 0;
  for (const KeyInfo& info : schema) {
    // With two free names the end of the first one would be ambiguous.
    if (std::ranges::count(info.name, '*') != 1) continue;
    std::string found = key_of_pattern(schema, info, variable);
    // MCP_X_CALL_TIMEOUT is the call_timeout of x, not the timeout of x_call.
    if (found.empty() || info.name.size() <= longest) continue;
    longest = info.name.size();
    key = std::move(found);
  }
  return key;
}

std::string warning_about(const Schema& schema, std::string_view variable) {
  std::vector<std::string> names;
  for (const KeyInfo& info : schema) names.push_back(environment_name(info.name));
  const auto nearest = base::nearest_match(variable, names);
  return std::string(variable) + " is not a setting" +
         (nearest ? "; did you mean " + *nearest + "?" : "");
}

bool is_table_array(const internal::Leaf& leaf) {
  return leaf.only_tables && find_table(internal::to_string(leaf.path)) != nullptr;
}

base::Error not_for_projects(const std::string& origin, const std::string& key,
                             const std::filesystem::path& home) {
  return base::permission_denied(
      origin + ": " + key +
      " cannot be set by a project, since a cloned repository is not trusted; "
      "set it in " +
      user_file(home).string() + " or through " + environment_name(key));
}

}  // namespace

// Merges the layers, the weakest first.
class SettingsLoader {
 public:
  SettingsLoader(const Sources& sources, const Schema& schema) : sources_(sources) {
    settings_.schema_ = schema;
  }

  base::Result<Settings> load() {
    add_defaults();
    CLEVER_TRY(add_file(user_file(sources_.home), Layer::kUser));
    if (const auto file = project_file(sources_)) CLEVER_TRY(add_file(*file, Layer::kProject));
    CLEVER_TRY(add_environment());
    CLEVER_TRY(add_flags());
    return std::move(settings_);
  }

 private:
  void add_defaults() {
    for (const KeyInfo& info : settings_.schema_) {
      if (!info.is_pattern()) set(info.name, {info.default_value, Layer::kDefault, "default"});
    }
  }

  base::Result<void> add_file(const std::filesystem::path& path, Layer layer) {
    CLEVER_ASSIGN(const std::string text, internal::read_text(path));
    CLEVER_ASSIGN(const internal::Document document, internal::parse(text, path.string()));
    for (const internal::Leaf& leaf : document.leaves) {
      if (is_table_array(leaf)) continue;
      CLEVER_TRY(add_leaf(leaf, path.string() + ":" + std::to_string(leaf.line), layer));
    }
    std::map<std::string, std::string> named;
    for (const internal::Element& element : document.elements) {
      CLEVER_TRY(add_table(element, path.string(), layer, named));
    }
    return {};
  }

  // `named`: where the file's earlier tables with a name are.
  base::Result<void> add_table(const internal::Element& element, const std::string& file,
                               Layer layer, std::map<std::string, std::string>& named) {
    const TableInfo* info = find_table(internal::to_string(element.path));
    CLEVER_CHECK(info != nullptr, "a table of no kind passed as a value");
    Table table{.place = file + ":" + std::to_string(element.line),
                .of_project = layer == Layer::kProject};
    CLEVER_ASSIGN(table.values, internal::checked_table(*info, element, file));
    const std::string name = table.text("name");
    const auto [earlier, is_new] = named.try_emplace(info->name + " " + name, table.place);
    if (!name.empty() && !is_new) {
      return base::invalid_argument(table.place + ": there is a [[" + info->name +
                                    "]] of the name " + internal::shown(name) + " already, at " +
                                    earlier->second + "; rename one of them");
    }
    settings_.tables_[info->name].push_back(std::move(table));
    return {};
  }

  base::Result<void> add_leaf(const internal::Leaf& leaf, std::string origin, Layer layer) {
    const std::string key = internal::to_string(leaf.path);
    const KeyInfo* info = find_key(settings_.schema_, key);
    if (info == nullptr) return at(origin, unknown_key(settings_.schema_, key));
    if (layer == Layer::kProject && !info->project_may_set) {
      return not_for_projects(origin, key, sources_.home);
    }
    auto text = internal::checked_text(*info, leaf);
    if (!text.ok()) return at(origin, text.error());
    set(key, {std::move(text).value(), layer, std::move(origin)});
    return {};
  }

  base::Result<void> add_environment() {
    for (const auto& [name, text] : sources_.environment.entries()) {
      const bool other = std::ranges::find(kOtherVariables, name) != kOtherVariables.end();
      // Shells use an empty variable for "unset".
      if (!name.starts_with(kPrefix) || other || text.empty()) continue;
      const std::string key = key_of_variable(settings_.schema_, name);
      if (key.empty()) {
        settings_.warnings_.push_back(warning_about(settings_.schema_, name));
      } else {
        CLEVER_TRY(add_text(key, {text, Layer::kEnvironment, name}));
      }
    }
    return {};
  }

  base::Result<void> add_flags() {
    for (const auto& [key, text] : sources_.flags) {
      const KeyInfo* info = find_key(settings_.schema_, key);
      if (info == nullptr) return at("the command line", unknown_key(settings_.schema_, key));
      const std::string origin = info->flag.empty() ? "the command line" : info->flag;
      CLEVER_TRY(add_text(key, {text, Layer::kFlag, origin}));
    }
    return {};
  }

  base::Result<void> add_text(const std::string& key, Value value) {
    auto text = typed_value(*find_key(settings_.schema_, key), key, value.text);
    if (!text.ok()) return at(value.origin, text.error());
    value.text = std::move(text).value();
    set(key, std::move(value));
    return {};
  }

  void set(const std::string& key, Value value) {
    settings_.values_.insert_or_assign(key, std::move(value));
  }

  const Sources& sources_;
  Settings settings_;
};

std::string_view to_string(Layer layer) noexcept {
  switch (layer) {
    case Layer::kDefault:
      return "default";
    case Layer::kUser:
      return "user";
    case Layer::kProject:
      return "project";
    case Layer::kEnvironment:
      return "environment";
    case Layer::kFlag:
      return "flag";
  }
  return "unknown";
}

std::optional<Value> Settings::find(std::string_view key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::string Table::text(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() || found->second.empty() ? std::string() : found->second.front();
}

std::vector<Table> Settings::tables(std::string_view name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? std::vector<Table>() : found->second;
}

std::string Settings::text(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::string() : found->second.text;
}

std::vector<std::pair<std::string, Value>> Settings::list() const {
  // Equal keys stay in the order of their names.
  std::multimap<const KeyInfo*, const std::string*> in_order;
  for (const auto& [key, value] : values_) in_order.emplace(find_key(schema_, key), &key);
  std::vector<std::pair<std::string, Value>> result;
  for (const auto& [info, key] : in_order) result.emplace_back(*key, values_.at(*key));
  return result;
}

std::vector<std::pair<std::string, Value>> Settings::list(std::string_view beginning) const {
  auto last = values_.lower_bound(beginning);
  const auto first = last;
  while (last != values_.end() && last->first.starts_with(beginning)) ++last;
  return {first, last};
}

base::Result<Settings> load_settings(const Sources& sources) {
  return load_settings(sources, schema());
}

base::Result<Settings> load_settings(const Sources& sources, const Schema& schema) {
  return SettingsLoader(sources, schema).load();
}

std::filesystem::path home_directory(const io::Environment& environment) {
  const auto home = environment.value("CLEVERAGENTS_HOME");
  if (home && !home->empty()) return io::absolute_path(*home);
  return io::absolute_path(io::user_home(environment) / ".cleveragents");
}

std::filesystem::path user_file(const std::filesystem::path& home) { return home / "config.toml"; }

std::optional<std::filesystem::path> project_file(const Sources& sources) {
  if (!sources.project_directory) return std::nullopt;
  const std::filesystem::path usual_home = io::user_home(sources.environment) / ".cleveragents";
  std::filesystem::path folder = io::absolute_path(*sources.project_directory);
  while (true) {
    const std::filesystem::path candidate = folder / ".cleveragents";
    std::filesystem::path file = candidate / "config.toml";
    // Anything there counts as the project's file: reading reports a folder or an unreadable file.
    if (io::file_kind(file) != io::FileKind::kMissing && !io::same_file(candidate, sources.home) &&
        !io::same_file(candidate, usual_home)) {
      return file;
    }
    if (folder == folder.parent_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

}  // namespace clever::config
