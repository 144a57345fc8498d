#include "service/commands/run_request.h"

#include <algorithm>
#include <utility>

#include "engine/actor/new_plan.h"
#include "io/file.h"
#include "service/commands/budget.h"
#include "service/commands/run_race.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kLargestTaskFile = std::size_t{4} << 20U;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Reads a file; `as` says in errors what it was named as.
base::Result<std::string> read_named(const std::filesystem::path& path, std::string_view as) {
  auto text = io::read_file(path, kLargestTaskFile);
  if (!text.ok()) return std::move(text).error().add_context(std::string(as));
  return text;
}

base::Result<std::map<std::string, std::string>> given_arguments(const Invocation& invocation) {
  std::map<std::string, std::string> arguments;
  for (const std::string& text : invocation.values("arg")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return base::invalid_argument("--arg: expected KEY=VALUE, not " + in_quotes(text));
    }
    const std::string key = text.substr(0, equals);
    if (!arguments.emplace(key, text.substr(equals + 1)).second) {
      return base::invalid_argument("--arg: " + in_quotes(key) + " is given twice");
    }
  }
  return arguments;
}

base::Result<std::optional<model::Microdollars>> budget_of(const Invocation& invocation) {
  const auto text = invocation.value("budget");
  if (!text) return std::optional<model::Microdollars>();
  auto amount = parse_dollars(*text);
  if (!amount.ok()) return std::move(amount).error().add_context("--budget");
  return std::optional(*amount);
}

base::Result<TaskRequest> defaults_of(const Invocation& invocation, const Context& context) {
  TaskRequest request;
  request.model = invocation.value("model").value_or("");
  request.actor = invocation.value("actor").value_or("");
  request.agent = invocation.value("agent").value_or("");
  if (!request.agent.empty() && !request.actor.empty()) {
    return base::invalid_argument("--agent and --actor exclude each other: choose one");
  }
  request.action = invocation.value("action").value_or("");
  request.profile = invocation.value("profile").value_or("");
  if (!request.profile.empty()) {
    CLEVER_TRY(engine::check_profile(request.profile).context("--profile"));
  }
  request.from = invocation.value("from").value_or("");
  request.from_plan = invocation.value("from-plan").value_or("");
  if (!request.from_plan.empty() && !request.from.empty()) {
    return base::invalid_argument("--from and --from-plan exclude each other: choose one");
  }
  request.direct = invocation.flag("direct");
  for (const std::string& image : invocation.values("image")) {
    request.images.push_back(context.directory() / image);
  }
  CLEVER_ASSIGN(request.arguments, given_arguments(invocation));
  return request;
}

base::Result<std::string> task_of(const std::string& word, const Context& context) {
  if (word == "-") return context.input();
  if (word.starts_with('@')) {
    const std::filesystem::path path = context.directory() / word.substr(1);
    return read_named(path, "a task that begins with @ names the file to read");
  }
  return word;
}

// `agents run fix the tests` means one task, not three.
base::Result<void> check_words(const std::vector<std::string>& words) {
  const bool one_sentence = std::ranges::all_of(words, [](const std::string& word) {
    return !word.starts_with('@') && word != "-" &&
           word.find_first_of(" \t\n") == std::string::npos;
  });
  if (words.size() < 2 || !one_sentence) return {};
  std::string sentence;
  for (const std::string& word : words) sentence += (sentence.empty() ? "" : " ") + word;
  return base::invalid_argument("these are " + std::to_string(words.size()) +
                                " tasks of one word each; put quotes around a task: agents run \"" +
                                printable(sentence) + "\"");
}

base::Result<void> add_words(const Invocation& invocation, const Context& context,
                             const TaskRequest& defaults, std::vector<TaskRequest>& tasks) {
  CLEVER_TRY(check_words(invocation.words()));
  const bool reads_twice = std::ranges::count(invocation.words(), "-") > 1;
  if (reads_twice) return base::invalid_argument("- (standard input) can be given once only");
  for (const std::string& word : invocation.words()) {
    TaskRequest request = defaults;
    CLEVER_ASSIGN(request.task, task_of(word, context));
    if (is_blank(request.task)) {
      return base::invalid_argument("the task " + in_quotes(word) + " is empty: say what to do");
    }
    tasks.push_back(std::move(request));
  }
  return {};
}

base::Result<void> add_file(std::string_view file, const Context& context,
                            const TaskRequest& defaults, std::vector<TaskRequest>& tasks) {
  const std::filesystem::path path = context.directory() / file;
  CLEVER_ASSIGN(const std::string text, read_named(path, "--file"));
  auto more = tasks_from_yaml(text, file, path.parent_path(), defaults);
  // The command line is right, but the file it names is not.
  if (!more.ok()) return blame_file(more.error());
  std::ranges::move(*more, std::back_inserter(tasks));
  return {};
}

// An action or actor may have a task of its own.
base::Result<void> check_tasks(const TaskRequest& defaults, std::vector<TaskRequest>& tasks) {
  const bool speaks =
      !defaults.actor.empty() || !defaults.action.empty() || !defaults.from_plan.empty();
  if (tasks.empty() && speaks) tasks.push_back(defaults);
  if (tasks.empty()) {
    return base::invalid_argument(
        "missing argument TASK: say in quotes what to do; - reads it from standard input, @FILE "
        "from a file, and --file TASKS.yaml takes several");
  }
  if (!defaults.from_plan.empty() && tasks.size() > 1) {
    return base::invalid_argument(
        "--from-plan continues one plan's work: give it one task, or none");
  }
  if (tasks.size() <= kMostTasks) return {};
  return base::invalid_argument(std::to_string(tasks.size()) + " tasks are more than the " +
                                std::to_string(kMostTasks) + " that one run accepts");
}

}  // namespace

base::Result<void> check_answers(const Invocation& invocation) {
  std::vector<std::string> given;
  for (const std::string_view option : {"record", "replay", "script"}) {
    if (invocation.flag(option)) given.push_back("--" + std::string(option));
  }
  const bool both = given.size() > 1 && given != std::vector<std::string>{"--record", "--script"};
  if (!both) return {};
  return base::invalid_argument(given[0] + " and " + given[1] + " exclude each other: choose one");
}

std::vector<Option> landing_options() {
  return {{.name = "apply", .summary = "Apply the result as soon as it is ready"},
          {.name = "message",
           .letter = 'm',
           .value = "TEXT",
           .summary = "With --apply: the commit's message"},
          {.name = "no-commit", .summary = "With --apply: leave the changes uncommitted"},
          {.name = "branch", .value = "NAME", .summary = "With --apply: commit on a new branch"},
          {.name = "no-verify", .summary = "With --apply: do not run commit hooks"}};
}

base::Result<std::optional<model::ApplyRequested>> landing_of(const Invocation& invocation) {
  for (const std::string_view option : {"message", "no-commit", "branch", "no-verify"}) {
    if (!invocation.flag(option) || invocation.flag("apply")) continue;
    return base::invalid_argument("--" + std::string(option) +
                                  " only applies with --apply: add it");
  }
  if (!invocation.flag("apply")) return std::optional<model::ApplyRequested>();
  if (invocation.flag("no-commit") && invocation.flag("branch")) {
    return base::invalid_argument(
        "--no-commit leaves the files uncommitted, --branch commits them on a new branch: choose "
        "one");
  }
  model::ApplyRequested apply{.remerge = true};
  if (invocation.flag("no-commit")) apply.mode = "working_tree";
  if (const auto branch = invocation.value("branch")) {
    apply.mode = "branch";
    apply.branch = *branch;
  }
  apply.message = invocation.value("message").value_or("");
  apply.verify = !invocation.flag("no-verify");
  return std::optional(std::move(apply));
}

std::vector<std::string> landing_words(const model::ApplyRequested& apply) {
  std::vector<std::string> words{"--apply"};
  if (apply.mode == "working_tree") words.emplace_back("--no-commit");
  if (!apply.branch.empty()) words.push_back("--branch=" + apply.branch);
  if (!apply.message.empty()) words.push_back("--message=" + apply.message);
  if (!apply.verify) words.emplace_back("--no-verify");
  return words;
}

namespace {

// Makes the same task for each racer.
base::Result<void> make_race(const Invocation& invocation, RunRequest& request) {
  const auto race = invocation.value("race");
  request.choose = invocation.value("choose").value_or("");
  if (!race) {
    if (request.choose.empty()) return {};
    return base::invalid_argument("--choose picks among the results of --race: add --race");
  }
  CLEVER_ASSIGN(request.racers, parse_racers(*race));
  if (request.tasks.size() != 1) {
    return base::invalid_argument("--race takes one task; each agent does it by itself");
  }
  const TaskRequest task = request.tasks.front();
  if (!task.from_plan.empty()) {
    return base::invalid_argument("--race and --from-plan exclude each other: choose one");
  }
  if (!task.agent.empty() || !task.actor.empty() || !task.model.empty()) {
    return base::invalid_argument(
        "--race names the agents: remove --agent, --actor and --model (claude:opus names a model)");
  }
  if (request.detach) {
    return base::invalid_argument("--race waits for its results to compare them: remove --detach");
  }
  if (request.apply && request.choose.empty()) {
    return base::invalid_argument(
        "--apply needs a choice among the results of the race: add --choose validation or --choose "
        "MODEL");
  }
  request.tasks.clear();
  for (const Racer& racer : request.racers) {
    request.tasks.push_back(task);
    request.tasks.back().agent = racer.agent;
    request.tasks.back().model = racer.model;
  }
  return {};
}

}  // namespace

base::Result<RunRequest> run_request(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_answers(invocation));
  RunRequest request{.detach = invocation.flag("detach")};
  CLEVER_ASSIGN(request.apply, landing_of(invocation));
  request.lands_specially = request.apply && landing_words(*request.apply).size() > 1;
  CLEVER_ASSIGN(request.budget, budget_of(invocation));
  CLEVER_ASSIGN(const TaskRequest defaults, defaults_of(invocation, context));
  CLEVER_TRY(add_words(invocation, context, defaults, request.tasks));
  for (const std::string_view option : {"file", "each"}) {
    if (const auto file = invocation.value(option)) {
      CLEVER_TRY(add_file(*file, context, defaults, request.tasks));
    }
  }
  CLEVER_TRY(check_tasks(defaults, request.tasks));
  CLEVER_TRY(make_race(invocation, request));
  if (request.lands_specially && request.tasks.size() > 1 && !request.apply->branch.empty()) {
    return base::invalid_argument("--branch is for one task: several would need one branch each");
  }
  return request;
}

}  // namespace clever::service
