#include "cli/reference.h"

#include <array>
#include <utility>

#include "cli/help.h"
#include "cli/words.h"
#include "service/exit_code.h"

namespace clever::cli {
namespace {

// Escapes a table cell: a bar would end it, and stars outside of code would make it bold.
std::string cell(std::string_view text, bool code = false) {
  std::string result;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c == '|' || (c == '*' && !code)) result.push_back('\\');
    result.push_back(c == '\n' ? ' ' : c);
  }
  return result;
}

class ReferenceWriter {
 public:
  std::string write(const Command& root, const config::Schema& settings) {
    line("# Commands, settings and exit codes");
    line("`agents manual --reference docs/reference/commands.md` writes this page.");
    line();
    options("Options that every command takes", root);
    for (const Command& command : root.subcommands) add(CommandPath{&root, &command});
    add(settings);
    exit_codes();
    return std::move(text_);
  }

 private:
  void add(const CommandPath& path) {
    const Command& command = *path.back();
    if (command.hidden) return;
    line((path.size() == 2 ? "## " : "### ") + joined(path));
    const auto parts =
        paragraphs(command.description.empty() ? command.summary : command.description);
    for (const std::string_view part : parts) line(std::string(part) + "\n");
    if (command.handler != nullptr) line("```\n" + usage_line(path) + "\n```\n");
    arguments(command);
    options("", command);
    examples(command);
    for (const Command& subcommand : command.subcommands) {
      CommandPath below = path;
      below.push_back(&subcommand);
      add(below);
    }
  }

  void arguments(const Command& command) {
    if (command.positionals.empty()) return;
    table("argument", "what it is");
    for (const Positional& positional : command.positionals) {
      row(spelled(positional), summary_with_choices(positional.summary, positional.choices));
    }
    line();
  }

  void options(const std::string& title, const Command& command) {
    if (command.options.empty()) return;
    if (!title.empty()) line("## " + title);
    table("option", "what it does");
    for (const Option& option : command.options) {
      row(spelled(option), summary_with_choices(option.summary, option.choices));
    }
    line();
  }

  void examples(const Command& command) {
    if (command.examples.empty()) return;
    line("```sh");
    for (const Example& example : command.examples) {
      line("# " + std::string(example.what));
      line(std::string(example.command));
    }
    line("```\n");
  }

  void add(const config::Schema& settings) {
    line("## Settings");
    line(
        "In `.cleveragents/config.toml` of a project or `~/.cleveragents/config.toml`; a `*` "
        "stands for a name. A\n"
        "project may not set what is marked so.\n");
    line("| setting | value | default | what it does |");
    line("|---|---|---|---|");
    for (const config::KeyInfo& key : settings) {
      line("| `" + key.name + "` | " + cell(config::expectation(key)) + " | " +
           (key.default_value.empty() ? "" : "`" + cell(key.default_value, true) + "`") + " | " +
           cell(key.description) + (key.project_may_set ? "" : " (not by a project)") + " |");
    }
    line();
  }

  void exit_codes() {
    line("## Exit codes");
    table("code", "meaning");
    for (const auto& [code, meaning] : kExitCodes) row(std::string(code), std::string(meaning));
  }

  void table(const std::string& left, const std::string& right) {
    line("| " + left + " | " + right + " |");
    line("|---|---|");
  }
  void row(const std::string& left, const std::string& right) {
    line("| `" + cell(left, true) + "` | " + cell(right) + " |");
  }
  void line(const std::string& text = {}) { text_.append(text).push_back('\n'); }

  std::string text_;
};

}  // namespace

std::string reference(const Command& root, const config::Schema& settings) {
  return ReferenceWriter().write(root, settings);
}

}  // namespace clever::cli
