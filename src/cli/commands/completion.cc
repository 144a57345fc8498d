#include "cli/completion.h"

#include "cli/commands/commands.h"
#include "cli/parse.h"
#include "service/definitions/complete_values.h"

namespace clever::cli {
namespace {

std::string script_for(std::string_view shell, std::string_view program) {
  if (shell == "bash") return completion_script_bash(program);
  return shell == "zsh" ? completion_script_zsh(program) : completion_script_fish(program);
}

base::Result<Report> print_script(const Invocation& invocation, Context&) {
  const std::string& shell = invocation.word(0);
  std::string script = script_for(shell, invocation.root().name);
  Report report;
  report.data.set("shell", shell).set("script", script);
  report.view = {Raw{std::move(script)}};
  return report;
}

// The shell waits for the answer and shows no errors.
void look_up(Candidates& candidates, Context& context) {
  if (candidates.looked_up == Completes::kNothing) return;
  for (service::CompleteValue& value : service::complete_values(candidates.looked_up, context)) {
    std::string text = candidates.prefix + value.text;
    if (text.starts_with(candidates.typed)) {
      candidates.list.push_back({std::move(text), std::move(value.summary)});
    }
  }
}

base::Result<Report> print_candidates(const Invocation& invocation, Context& context) {
  Candidates candidates = complete(invocation.root(), invocation.words());
  look_up(candidates, context);
  Report report;
  Document list = Document::list();
  for (const Candidate& candidate : candidates.list) {
    list.push(Document::map().set("text", candidate.text).set("summary", candidate.summary));
  }
  report.data.set("candidates", std::move(list)).set("directories", candidates.directories);
  report.view = {Raw{to_lines(candidates)}};
  return report;
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .summary = "Print the completion script of a shell",
          .description =
              "Prints a script with which a shell completes commands, options, settings and their "
              "values.",
          .positionals = {{.name = "SHELL",
                           .summary = "The shell",
                           .choices = {"bash", "zsh", "fish"}}},
          .examples = {{"source <(agents completion bash)", "In ~/.bashrc"},
                       {"source <(agents completion zsh)", "In ~/.zshrc, after compinit"},
                       {"agents completion fish | source", "In ~/.config/fish/config.fish"}},
          .handler = print_script,
          .raw = true};
}

Command complete_command() {
  return {.name = "complete",
          .summary = "Print what could come next, for a shell",
          .positionals = {{.name = "WORD",
                           .summary = "The words after the program's name, the last one unfinished",
                           .required = false,
                           .repeated = true}},
          .handler = print_candidates,
          .hidden = true,
          .raw = true};
}

}  // namespace clever::cli
