#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/session/conversation.h"
#include "cli/words.h"
#include "service/commands/commands.h"
#include "service/commands/first_run.h"
#include "service/commands/plan_act.h"
#include "service/commands/run_request.h"
#include "service/plan/session_plans.h"
#include "service/text.h"
#include "service/work_folder.h"

namespace clever::cli {
namespace {

base::Error conversation_needs_terminal() {
  return base::invalid_argument(
      "a conversation needs a terminal, and there is none: use `agents run \"TASK\"`, then `agents "
      "plan prompt \"TEXT\"` for follow-ups");
}

std::string new_session(Context& context) {
  return std::string(service::kConversation) + service::new_key(context);
}

base::Result<void> greet(const service::SessionPlans& before, io::OwnedTerminal& terminal,
                         const Screen& screen, const std::string& folder) {
  std::string text = painted("agents", Tone::kStrong, screen.output_look) +
                     painted(" in " + printable(folder) + "; /help lists the commands", Tone::kDim,
                             screen.output_look) +
                     "\n";
  for (const service::PlanSummary& plan : before.plans) {
    text += painted("  " + padded(plan.phase + "/" + plan.state, 20) +
                        printable(service::one_line(plan.title, 56)),
                    Tone::kDim, screen.output_look) +
            "\n";
  }
  return terminal.write(text);
}

base::Result<Report> session(const Invocation& invocation, Context& context) {
  const Screen screen = context.screen();
  if (!screen.open_terminal) return conversation_needs_terminal();
  CLEVER_TRY(service::check_answers(invocation));
  const bool says_who = invocation.flag("model") || invocation.flag("agent") ||
                        invocation.flag("script") || invocation.flag("replay");
  if (!says_who) CLEVER_TRY(service::guide_first_run(context));
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  CLEVER_ASSIGN(const git::Project project, service::work_project(invocation, context));
  CLEVER_ASSIGN(const auto terminal, screen.open_terminal(io::OwnedTerminal::Mode::kLine));
  static_cast<void>(context.insistence());
  CLEVER_ASSIGN(const service::PlanDatabase database,
                service::PlanDatabase::open(invocation, context));
  ConversationOptions options{.session = new_session(context),
                              .project = project,
                              .answers = service::answers_of(invocation, context),
                              .model = std::string(invocation.value("model").value_or("")),
                              .agent = std::string(invocation.value("agent").value_or("")),
                              .first_words = base::joined(invocation.words(), " ")};
  service::SessionPlans before;
  if (invocation.flag("continue")) {
    CLEVER_ASSIGN(before, service::last_session(database, project.root.string(), context));
    if (before.plans.empty()) {
      return base::not_found("no conversation exists in " + project.root.string() +
                             " yet: `agents` starts one");
    }
    options.session = before.session;
    options.present = before.plans.back().id;
  }
  CLEVER_TRY(greet(before, *terminal, screen, project.root.string()));
  CLEVER_TRY(Conversation(invocation, database, *terminal, std::move(options), context).run());
  return Report();
}

}  // namespace

Command session_command() {
  std::vector<Option> options = {
      {.name = "continue", .summary = "Continue the last conversation of this folder"},
      {.name = "model",
       .value = "MODEL",
       .summary = "provider/model, or an alias",
       .completes = Completes::kModel},
      {.name = "agent",
       .value = "AGENT",
       .summary = "The external agent that answers: claude, codex, … (`agents agent list`)"},
      service::here_option()};
  for (const Option& option : service::answer_options()) options.push_back(option);
  options.push_back(service::plan_database_option());
  return {
      .name = "session",
      .summary = "Talk with an agent about this project",
      .description =
          "The same as `agents` alone at a terminal. Your words go to a plan that works in a "
          "sandbox and shows its answer; further words go to the same plan until you apply it. "
          "/help lists the commands, @ and Tab name files, ! runs a command of your own. "
          "Ctrl-C interrupts the answer, twice it quits; --continue returns to the "
          "conversation, even after a crash.\n\nThe subcommands are for sessions that are kept and "
          "named, in which several people and programs take part, here or at a server.",
      .positionals =
          {{.name = "WORDS", .summary = "What you say first", .required = false, .repeated = true}},
      .options = std::move(options),
      .examples = {{"agents session", "Start a conversation, as `agents` alone does"},
                   {"agents \"fix the failing test\"", "Start one with your first words"},
                   {"agents --continue", "Continue the last one of this folder"},
                   {"agents session --model anthropic/claude-sonnet-5", "With a given model"}},
      .subcommands = service::session_commands(),
      .handler = session};
}

}  // namespace clever::cli
