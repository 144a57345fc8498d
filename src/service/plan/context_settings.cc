#include "service/plan/context_settings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/number.h"
#include "context/command_strategy.h"
#include "context/provider_embedder.h"
#include "service/commands/provider.h"

namespace clever::service {
namespace {

constexpr std::chrono::seconds kConnectWithin{20};

using engine::ContextOptions;
using engine::ViewRules;

constexpr std::array<std::pair<std::string_view, model::Phase>, 4> kViews = {{
    {"default", model::Phase::kAction},
    {"strategize", model::Phase::kStrategize},
    {"execute", model::Phase::kExecute},
    {"apply", model::Phase::kApply},
}};

/// Reads settings whose values have been checked.
class SettingsReader {
 public:
  explicit SettingsReader(const config::Settings& settings) : settings_(settings) {}

  [[nodiscard]] std::uint64_t number(const std::string& key) const {
    return base::to_number<std::uint64_t>(settings_.text(key)).value_or(0);
  }
  [[nodiscard]] double real(const std::string& key) const {
    return base::to_number<double>(settings_.text(key)).value_or(0);
  }
  [[nodiscard]] std::string text(const std::string& key) const { return settings_.text(key); }
  [[nodiscard]] std::vector<std::string> list(const std::string& key) const {
    return config::list_of(settings_.text(key));
  }
  [[nodiscard]] base::Duration duration(const std::string& key) const {
    return config::duration_of(settings_.text(key));
  }
  [[nodiscard]] bool has(const std::string& key) const {
    const auto value = settings_.find(key);
    return value && !value->text.empty();
  }
  /// Returns the free names in keys of this group, each with the origin of one of its keys.
  [[nodiscard]] std::map<std::string, std::string> names_below(const std::string& group) const {
    std::map<std::string, std::string> names;
    for (const auto& [key, value] : settings_.list(group)) {
      const std::string rest = key.substr(group.size());
      names.emplace(rest.substr(0, rest.find('.')), value.origin);
    }
    return names;
  }

 private:
  const config::Settings& settings_;
};

base::Error wrong(const std::string& origin, const std::string& what) {
  return base::corruption(origin + ": " + what);
}

ViewRules laid_over(ViewRules rules, const SettingsReader& read, const std::string& view) {
  const std::string group = "context.view." + view + ".";
  if (read.has(group + "include")) rules.include = read.list(group + "include");
  if (read.has(group + "exclude")) rules.exclude = read.list(group + "exclude");
  if (read.has(group + "largest_file_kb")) {
    rules.largest_file = read.number(group + "largest_file_kb") << 10U;
  }
  if (read.has(group + "largest_total_mb")) {
    rules.largest_total = read.number(group + "largest_total_mb") << 20U;
  }
  return rules;
}

base::Result<void> read_views(ContextOptions& options, const SettingsReader& read) {
  std::vector<std::string> known;
  for (const auto& [name, phase] : kViews) known.emplace_back(name);
  for (const auto& [name, origin] : read.names_below("context.view.")) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto nearest = base::nearest_match(name, known);
    return wrong(origin, "context.view." + name + ": no such view; " +
                             (nearest ? "did you mean " + *nearest + "?"
                                      : "choose default, strategize, execute or apply"));
  }
  options.usual = laid_over(options.usual, read, "default");
  ViewRules rules = options.usual;
  for (const auto& [name, phase] : kViews) {
    if (phase == model::Phase::kAction) continue;
    rules = laid_over(std::move(rules), read, std::string(name));
    options.rules[phase] = rules;
  }
  return {};
}

base::Result<void> read_commands(ContextOptions& options, const SettingsReader& read,
                                 const std::filesystem::path& project_root,
                                 const confine::Launcher& launcher) {
  for (const auto& [name, origin] : read.names_below("context.strategy.")) {
    const std::string group = "context.strategy." + name + ".";
    if (!read.has(group + "command")) {
      return wrong(origin, group +
                               "command is missing: the words of the command, such as "
                               "[\"python3\", \"owners.py\"]");
    }
    context::CommandStrategyOptions command{.name = name, .argv = read.list(group + "command")};
    if (read.has(group + "quality")) command.quality = read.real(group + "quality");
    command.deadline =
        read.has(group + "timeout") ? read.duration(group + "timeout") : options.executor.deadline;
    command.project_root = project_root;
    command.launcher = launcher;
    auto strategy = context::make_command_strategy(std::move(command));
    if (!strategy.ok()) return wrong(origin, strategy.error().sentence());
    options.more.push_back(std::move(strategy).value());
  }
  return {};
}

base::Result<void> check_strategies(const ContextOptions& options,
                                    const config::Settings& settings) {
  const std::set<std::string> once(options.strategies.begin(), options.strategies.end());
  if (once.size() == options.strategies.size()) return {};
  return wrong(settings.find("context.strategies")->origin,
               "context.strategies: a name occurs twice; remove one");
}

base::Result<std::unique_ptr<index::Embedder>> connected(const std::string& model,
                                                         const config::Settings& project,
                                                         const Context& context) {
  const std::size_t slash = model.find('/');
  const std::string name = model.substr(0, slash);
  if (slash == std::string::npos || slash + 1 == model.size()) {
    return base::invalid_argument(
        "'" + model + "' is not an embedder: write local, off, or a model such as provider/model");
  }
  CLEVER_ASSIGN(const provider::ProviderSettings settings, find_providers(project, context));
  const auto found = std::ranges::find_if(
      settings.providers,
      [&](const provider::ProviderConfig& config) { return config.endpoint.provider == name; });
  if (found == settings.providers.end()) return no_such_provider(settings, name);
  CLEVER_ASSIGN(auto embedder, context::ProviderEmbedder::connect(
                                   found->endpoint, model.substr(slash + 1),
                                   context.models().http(), context.clock(), {}, context.stop(),
                                   base::Deadline::after(context.clock(), kConnectWithin)));
  return std::unique_ptr<index::Embedder>(std::move(embedder));
}

}  // namespace

engine::EmbedderSource provider_embedders(config::Settings settings, const Context& context) {
  return [settings = std::move(settings), &context](const std::string& model) {
    return connected(model, settings, context);
  };
}

base::Result<ContextOptions> context_options(const config::Settings& settings,
                                             const std::filesystem::path& project_root,
                                             const confine::Launcher& launcher) {
  const SettingsReader read(settings);
  ContextOptions options;
  options.searches = read.text("context.source") == "index";
  options.turns.most_tokens = read.number("context.budget");
  options.turns.wait = read.duration("context.wait");
  options.turns.skeleton_ratio =
      std::min(static_cast<double>(read.number("context.skeleton_percent")) / 100, 1.0);
  options.executor.max_workers = read.number("context.workers");
  options.executor.deadline = read.duration("context.deadline");
  options.strategies = read.list("context.strategies");
  CLEVER_TRY(check_strategies(options, settings));
  for (const char* part :
       {"selector", "allocator", "depth", "packer", "orderer", "preamble", "skeleton"}) {
    options.parts[part] = read.text(std::string("context.") + part);
  }
  options.relevance = read.real("context.weight.relevance");
  options.hierarchy = read.real("context.weight.hierarchy");
  options.quality = read.real("context.weight.quality");
  options.recency = read.real("context.weight.recency");
  options.threads =
      static_cast<unsigned>(std::min<std::uint64_t>(read.number("context.threads"), 256));
  options.embedder = read.text("context.embedder");
  CLEVER_TRY(read_views(options, read));
  CLEVER_TRY(read_commands(options, read, project_root, launcher));
  return options;
}

}  // namespace clever::service
