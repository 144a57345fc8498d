#pragma once
// Private to the module.
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/parse.h"
#include "cli/session/session_line.h"
#include "cli/tui/key_decoder.h"
#include "cli/tui/line_editor.h"
#include "cli/words.h"
#include "git/project.h"
#include "io/owned_terminal.h"
#include "service/commands/run_plans.h"
#include "service/context.h"
#include "service/plan/session_plans.h"

namespace clever::cli {

struct ConversationOptions {
  /// PlanSettings::session of its plans.
  std::string session{};
  /// The plan that gets the next words, unless it has ended.
  model::PlanId present{};
  git::Project project{};
  service::WorkplaceOptions answers{};
  /// "provider/model" or an alias; empty: the default model.
  std::string model{};
  /// An external agent that answers; empty: the default.
  std::string agent{};
  /// The first words, before anything is typed; empty: none.
  std::string first_words{};
};

/// A conversation at a terminal. A plan works on what the person types, and its answer is shown as
/// it arrives; commands begin with a slash, shell commands with an exclamation mark.
///
/// Used by one thread. Everything it is given must outlive it. Ctrl-C, or the end of the process,
/// interrupts a plan, which stays as it is and continues with the next words.
class Conversation {
 public:
  Conversation(const Invocation& invocation, const service::PlanDatabase& database,
               io::OwnedTerminal& terminal, ConversationOptions options, Context& context);

  /// Runs until the person leaves.
  base::Result<void> run();

 private:
  static constexpr std::string_view kPrompt = "> ";

  /// What was typed; none: the person leaves.
  base::Result<std::optional<std::string>> read_line();
  /// Waits for keys, and keeps them.
  base::Result<void> wait_for_keys();
  base::Result<std::optional<std::string>> on_key(const Key& key);
  base::Result<void> show_editor(bool with_status = true);
  /// The line above the prompt: model, context, tokens and cost of the current plan.
  base::Result<void> refresh_status();
  /// Lets the person choose a row with the arrow keys or a digit; none: no choice.
  base::Result<std::optional<std::size_t>> pick(const std::vector<std::string>& rows);
  base::Result<void> complete();
  base::Result<void> show_choices(const std::vector<std::string>& choices);
  /// None: neither yes nor no.
  base::Result<std::optional<bool>> confirm(const std::string& question,
                                            const std::function<std::string()>& details,
                                            const std::function<void()>& remember = {});

  base::Result<void> take(const std::string& text);
  base::Result<void> command(const SessionLine& line);
  base::Result<void> choose_model(const std::string& name);
  base::Result<void> shell(const std::string& command);
  base::Result<void> run_words(const std::vector<std::string>& words);
  base::Result<void> run_on_present(std::vector<std::string> words);
  base::Result<void> show_help();
  base::Result<void> show_plans();
  base::Result<void> show_cost();
  base::Result<void> run_action(const SessionLine& line);
  base::Result<void> compact();
  base::Result<void> clear();
  base::Result<void> choose_conversation();
  [[nodiscard]] std::vector<std::string> action_names() const;

  base::Result<void> go_on();
  /// Passes the words to a new plan or to the current one.
  base::Result<void> ask(service::SessionTask task, bool new_plan);
  /// Starts a plan's work with `start`, and shows it.
  using Start = std::function<base::Result<void>(service::RunPlans& plans)>;
  base::Result<void> answer(const Start& start);
  base::Result<void> begin(service::RunPlans& plans, service::SessionTask task);
  /// Ends the present plan; the task continues with what it changed.
  base::Result<void> replace_present(service::SessionTask& task);
  base::Result<void> tell_present(service::RunPlans& plans, const plan::Command& command);
  base::Result<std::unique_ptr<service::RunPlans>> open_plans();
  /// None: it was interrupted.
  base::Result<std::optional<plan::State>> wait(service::RunPlans& plans);
  enum class Answer : std::uint8_t { kNotAsked, kGiven, kLeftOpen };
  base::Result<Answer> answer_approval(service::RunPlans& plans, const plan::State& state);
  /// Asks how long rules should hold, and writes them down.
  base::Result<void> remember_rules(const std::vector<std::string>& rules);
  base::Result<void> show_asked(const plan::State& asking);
  [[nodiscard]] std::string details_of(const plan::State& asking) const;
  base::Result<void> tell_end(service::RunPlans& plans, const plan::State& state);

  base::Result<void> say(std::string_view text, Tone tone = Tone::kPlain);
  /// Reports an error; the conversation continues.
  base::Result<void> say(const base::Error& error);

  const Invocation& invocation_;
  const service::PlanDatabase& database_;
  io::OwnedTerminal& terminal_;
  const ConversationOptions options_;
  Context& context_;
  const Screen screen_;
  /// Empty: none is kept.
  const std::filesystem::path history_;
  model::PlanId present_;
  std::string model_;
  std::string session_;
  /// Calls that they cover are allowed to list the plans of this conversation.
  std::vector<std::string> remembered_;
  std::vector<service::OwnAction> actions_;
  std::string status_;
  LineEditor editor_;
  EditorRegion region_;
  KeyDecoder decoder_;
  /// Typed, but not processed yet.
  std::deque<Key> keys_;
  /// The next words begin a plan with the work of the present one, and a summary of the dialogue.
  bool compacts_ = false;
  bool ended_ = false;
  bool over_ = false;
  /// True if the last key was Ctrl-C.
  bool leaving_ = false;
};

}  // namespace clever::cli
