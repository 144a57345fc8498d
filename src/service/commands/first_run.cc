#include "service/commands/first_run.h"

#include <algorithm>

#include "base/number.h"
#include "config/edit.h"
#include "config/settings.h"
#include "io/file.h"
#include "service/caller_rights.h"
#include "service/commands/agent.h"
#include "service/commands/config.h"
#include "service/commands/provider.h"
#include "service/text.h"

namespace clever::service {
namespace {

// One key chooses.
constexpr std::size_t kMostChoices = 9;

bool is_first_run(Context& context) {
  const Screen screen = context.screen();
  if (!may(context, Right::kAdmin)) return false;
  if (!screen.can_ask() || screen.quiet || !screen.error_is_terminal) return false;
  if (io::file_kind(config::user_file(context.home())) != io::FileKind::kMissing) return false;
  const auto& settings = context.settings();
  return settings.ok() && settings->text("model.default").empty() &&
         settings->text("plan.agent").empty() && settings->text("provider.script").empty();
}

std::string origin_of(const provider::ProviderConfig& config) {
  if (!config.key_variable.empty()) return "the key in " + config.key_variable;
  return config.endpoint.local ? "on this machine, at " + config.endpoint.base_url
                               : config.endpoint.base_url;
}

void show_choices(const std::vector<WorkChoice>& choices, View& view) {
  Prose prose{{{{"There are no settings yet. What shall work for you?", Tone::kStrong}}}};
  std::size_t width = 0;
  for (const WorkChoice& choice : choices) width = std::max(width, columns(choice.name));
  for (std::size_t i = 0; i < choices.size(); ++i) {
    prose.lines.push_back({{"  " + std::to_string(i + 1) + "  ", Tone::kAccent},
                           {padded(choices[i].name, width + 2)},
                           {choices[i].why, Tone::kDim}});
  }
  view.emplace_back(std::move(prose));
}

View nothing_found() {
  return {
      Prose{{{{"There are no settings yet, and nothing to work with was found.", Tone::kStrong}},
             {{"  Set a key such as ANTHROPIC_API_KEY (`agents provider list` names them),"}},
             {{"  install an agent such as claude or codex (`agents agent list`),"}},
             {{"  or start Ollama or LM Studio. `agents demo` needs none of them."}}}}};
}

// None: not now.
base::Result<std::optional<std::size_t>> chosen(std::size_t choices, const Context& context) {
  const Screen screen = context.screen();
  while (true) {
    const std::string numbers = choices > 1 ? "1 to " + std::to_string(choices) + ", " : "";
    CLEVER_TRY(screen.prompt({{numbers, Tone::kStrong}, {"Enter for 1, n for not now: "}}));
    CLEVER_ASSIGN(const auto answer, screen.read_answer(context.stop()));
    if (!answer || *answer == "n" || *answer == "no") return std::optional<std::size_t>();
    if (answer->empty()) return std::optional<std::size_t>(0);
    const auto number = base::to_number<std::size_t>(*answer);
    if (number && *number >= 1 && *number <= choices) return std::optional(*number - 1);
  }
}

base::Result<void> write(const std::vector<std::pair<std::string, std::string>>& settings,
                         Context& context) {
  const auto file = config::user_file(context.home());
  if (settings.empty()) {
    constexpr mode_t kFolder = 0700;
    constexpr mode_t kFile = 0600;
    CLEVER_TRY(io::make_directories(file.parent_path(), kFolder));
    return io::write_file_atomically(
        file, "# Your settings: `agents config list` shows what there is.\n", kFile);
  }
  for (const auto& [key, value] : settings) CLEVER_TRY(config::set_value(file, key, value));
  return {};
}

}  // namespace

base::Result<std::vector<WorkChoice>> ways_to_work(Context& context) {
  CLEVER_ASSIGN(const provider::ProviderSettings found, find_providers(context));
  std::vector<WorkChoice> hosted;
  std::vector<WorkChoice> local;
  for (const provider::ProviderConfig& config : found.providers) {
    if (config.default_model.empty()) continue;
    const std::string model = config.endpoint.provider + "/" + config.default_model;
    (config.endpoint.local ? local : hosted)
        .push_back({model, origin_of(config), {{"model.default", model}}});
  }
  CLEVER_ASSIGN(const auto agents, look_for_agents(context));
  for (const KnownAgent& agent : agents) {
    if (!agent.found.missing.empty()) continue;
    hosted.push_back(
        {agent.name,
         "the installed agent, " + agent.found.version + ", logged in by " + agent.found.login,
         {{"plan.agent", agent.name}}});
  }
  std::ranges::move(local, std::back_inserter(hosted));
  if (hosted.size() > kMostChoices) hosted.resize(kMostChoices);
  return hosted;
}

base::Result<void> guide_first_run(Context& context) {
  if (!is_first_run(context)) return {};
  CLEVER_ASSIGN(const auto choices, ways_to_work(context));
  const Screen screen = context.screen();
  if (choices.empty()) return screen.say(nothing_found());
  View view;
  show_choices(choices, view);
  CLEVER_TRY(screen.say(view));
  CLEVER_ASSIGN(const auto choice, chosen(choices.size(), context));
  CLEVER_TRY(
      write(choice ? choices[*choice].settings : std::vector<std::pair<std::string, std::string>>(),
            context));
  context.forget_settings();
  const std::string file = short_path(config::user_file(context.home()), context);
  Line line{{choice ? choices[*choice].name : "Nothing", Tone::kGood},
            {choice ? " works from now on; " + file + " says so, `agents config set` changes it"
                    : " was chosen; " + file + " is yours to fill, `agents config edit` opens it"}};
  return screen.say({Prose{{std::move(line)}}});
}

}  // namespace clever::service
