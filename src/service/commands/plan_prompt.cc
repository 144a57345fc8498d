#include "base/ulid.h"
#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/plan_background.h"
#include "service/commands/plan_drive_on.h"
#include "service/text.h"

namespace clever::service {
namespace {

// Reads the prompt: the text itself, `-` for standard input, `@FILE` for a file.
base::Result<std::string> typed_words(const std::string& typed, const Context& context) {
  if (typed == "-") return context.input();
  if (!typed.starts_with('@')) return typed;
  return io::read_file(context.directory() / typed.substr(1));
}

base::Result<std::string> prompt_text(const Invocation& invocation, const Context& context) {
  const auto& words = invocation.words();
  if (words.empty()) {
    return base::invalid_argument("the prompt is missing: give a TEXT, -, or @FILE");
  }
  const bool is_plan = words.size() == 1 && words[0].size() == base::Ulid::kTextSize &&
                       model::PlanId::parse(words[0]).ok();
  if (is_plan) {
    return base::invalid_argument("the prompt for plan " + words[0] +
                                  " is missing: give a TEXT, -, or @FILE");
  }
  CLEVER_ASSIGN(std::string text, typed_words(words.back(), context));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return base::invalid_argument("the prompt is blank: " +
                                  (words.back().empty() ? "the TEXT" : in_quotes(words.back())));
  }
  return text;
}

base::Result<Report> prompt(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(std::string text, prompt_text(invocation, context));
  // A single argument is the prompt, for the newest plan.
  const std::size_t place = invocation.words().size() > 1 ? 0 : 1;
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context, place));
  plan::Prompt prompt{.message = {model::Role::kUser, {model::Text{std::move(text)}}},
                      .model = std::string(invocation.value("model").value_or(""))};
  return drive_on(std::move(plan), std::move(prompt), invocation, context);
}

std::vector<Option> prompt_options() {
  std::vector<Option> all{{.name = "model",
                           .value = "MODEL",
                           .summary = "Continue with this model: PROVIDER/MODEL or an alias"}};
  all.push_back(detach_option());
  for (Option& option : driving_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

Command plan_prompt_command() {
  return {
      .name = "prompt",
      .summary = "Give a plan further instructions",
      .description =
          "A working plan gets the prompt in its next turn. A complete, errored, constrained or "
          "waiting plan resumes with it. Shows progress until the plan rests.\n\nTEXT may be - for "
          "standard input, or @FILE. With one argument, the prompt goes to the newest plan of this "
          "folder; with two, the first names the plan.",
      .positionals = {{.name = "PLAN", .summary = "Its id or a prefix of it", .required = false},
                      {.name = "TEXT", .summary = "The prompt", .required = false}},
      .options = prompt_options(),
      .examples = {{"agents plan prompt \"use the existing helper\"", "The newest plan"},
                   {"agents plan prompt 01JD @notes.md", "From a file"},
                   {"agents plan prompt \"go on\" --model anthropic/claude-sonnet-5",
                    "Switch to another model"}},
      .handler = prompt};
}

}  // namespace clever::service
