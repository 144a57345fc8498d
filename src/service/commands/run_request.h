#pragma once
// What `agents run` was asked for. Private to the module.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/budget_events.h"
#include "model/work_events.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

/// One plan that is to be made. A value; what is empty is as the action, the actor and the settings
/// say.
struct TaskRequest {
  std::string task{};
  std::vector<std::filesystem::path> images{};
  std::string model{};
  std::string actor{};
  /// An external agent; not with `actor`.
  std::string agent{};
  std::map<std::string, std::string> arguments{};
  std::string action{};
  std::string profile{};
  bool direct = false;
  std::string from{};
  /// The plan, as typed, whose work it continues; without a `task`, that work is only sealed.
  std::string from_plan{};
  std::optional<model::Microdollars> budget{};

  friend bool operator==(const TaskRequest&, const TaskRequest&) = default;
};

/// The tasks of a file, with what they leave open as in `defaults`. A list of texts and mappings:
///
///   tasks:
///     - Fix the failing test of the parser
///     - task: Rename Foo to Bar
///       actor: local/codemod
///       args: {find: Foo, replace: Bar}
///
/// Keys of a mapping: task, model, actor, agent, args, action, profile, direct, from, budget,
/// images (seen from `folder`). `invalid_argument` names file, line, key and cure. `file` is only
/// for messages.
[[nodiscard]] base::Result<std::vector<TaskRequest>> tasks_from_yaml(
    std::string_view text, std::string_view file, const std::filesystem::path& folder,
    const TaskRequest& defaults);

inline constexpr std::size_t kMostTasks = 1000;

/// One competitor: "claude", or "claude:opus" with a model.
struct Racer {
  std::string agent{};
  std::string model{};
  friend bool operator==(const Racer&, const Racer&) = default;
};

struct RunRequest {
  std::vector<TaskRequest> tasks{};
  /// Of all together, if a person said so.
  std::optional<model::Microdollars> budget{};
  /// How each lands once it is ready; none: it does not by itself.
  std::optional<model::ApplyRequested> apply{};
  /// Something in `apply` is not as the engine would do it by itself.
  bool lands_specially = false;
  bool detach = false;
  /// They do the same task, one each; none: it is no race.
  std::vector<Racer> racers{};
  /// "validation" or a model that chooses among them; empty: a person.
  std::string choose{};
};

/// Reads what the words name (@FILE, -, --file). `invalid_argument`, `not_found`, … say which.
[[nodiscard]] base::Result<RunRequest> run_request(const Invocation& invocation, Context& context);

/// --apply and how: -m, --no-commit, --branch, --no-verify. For `run` and `plan drive`.
[[nodiscard]] std::vector<Option> landing_options();
[[nodiscard]] base::Result<std::optional<model::ApplyRequested>> landing_of(
    const Invocation& invocation);
/// The same as words of a command line.
[[nodiscard]] std::vector<std::string> landing_words(const model::ApplyRequested& apply);

/// --script, --record and --replay exclude each other.
[[nodiscard]] base::Result<void> check_answers(const Invocation& invocation);

}  // namespace clever::service
