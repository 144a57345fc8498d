#include "cli/manual.h"

#include "base/text.h"
#include "cli/help.h"
#include "cli/words.h"
#include "service/exit_code.h"
#include "service/text.h"

namespace clever::cli {
namespace {

// Escapes a literal text, so that roff takes no character of it for a request.
std::string escaped(std::string_view text) {
  constexpr std::string_view kEllipsis = "…";
  std::string result;
  while (!text.empty()) {
    std::size_t used = 1;
    if (text.starts_with(kEllipsis)) {
      result.append("...");
      used = kEllipsis.size();
    } else if (text[0] == '\\') {
      result.append("\\e");
    } else if (text[0] == '-') {
      result.append("\\-");
    } else if (text[0] == '\n') {
      result.push_back(' ');
    } else {
      result.push_back(text[0]);
    }
    text.remove_prefix(used);
  }
  const bool looks_like_request = result.starts_with('.') || result.starts_with('\'');
  return looks_like_request ? "\\&" + result : result;
}

class PageWriter {
 public:
  PageWriter(const CommandPath& path, std::string_view version)
      : path_(path), command_(*path.back()), version_(version) {}

  ManualPage write() {
    const std::string name = joined(path_, "-");
    line(".TH \"" + escaped(base::upper_case(name)) + "\" 1 \"\" \"CleverAgents " +
         std::string(version_) + "\" \"CleverAgents manual\"");
    heading("NAME");
    line(escaped(name) + " \\- " + escaped(command_.summary));
    heading("SYNOPSIS");
    line(".B " + escaped(usage_line(path_)));
    description();
    commands();
    arguments();
    if (path_.size() > 1) options("OPTIONS", command_);
    options(path_.size() > 1 ? "GLOBAL OPTIONS" : "OPTIONS", *path_.front());
    examples();
    exit_status();
    see_also();
    return {name + ".1", std::move(text_)};
  }

 private:
  void description() {
    heading("DESCRIPTION");
    const auto parts =
        paragraphs(command_.description.empty() ? command_.summary : command_.description);
    for (const std::string_view& part : parts) {
      if (&part != &parts.front()) line(".PP");
      line(escaped(part));
    }
  }

  void commands() {
    if (command_.subcommands.empty()) return;
    heading("COMMANDS");
    for (const Command& subcommand : command_.subcommands) {
      if (!subcommand.hidden) item(std::string(subcommand.name), std::string(subcommand.summary));
    }
  }

  void arguments() {
    if (command_.positionals.empty()) return;
    heading("ARGUMENTS");
    for (const Positional& positional : command_.positionals) {
      item(spelled(positional), summary_with_choices(positional.summary, positional.choices));
    }
  }

  void options(std::string_view title, const Command& command) {
    if (command.options.empty()) return;
    heading(title);
    for (const Option& option : command.options) {
      item(spelled(option), summary_with_choices(option.summary, option.choices));
    }
  }

  void examples() {
    if (command_.examples.empty()) return;
    heading("EXAMPLES");
    for (const Example& example : command_.examples) {
      line(escaped(example.what) + ":");
      line(".PP");
      line(".RS 4");
      line(".EX");
      line(escaped(example.command));
      line(".EE");
      line(".RE");
      line(".PP");
    }
  }

  void exit_status() {
    heading("EXIT STATUS");
    for (const auto& [code, meaning] : kExitCodes) item(std::string(code), std::string(meaning));
  }

  void see_also() {
    std::vector<std::string> names;
    if (path_.size() > 1) names.push_back(joined({path_.begin(), path_.end() - 1}, "-"));
    for (const Command& subcommand : command_.subcommands) {
      if (!subcommand.hidden)
        names.push_back(joined(path_, "-") + "-" + std::string(subcommand.name));
    }
    if (names.empty()) return;
    heading("SEE ALSO");
    for (const std::string& name : names) {
      line(".BR " + escaped(name) + " (1)" + (&name == &names.back() ? "" : ","));
    }
  }

  void heading(std::string_view title) { line(".SH " + std::string(title)); }
  void item(const std::string& name, const std::string& summary) {
    line(".TP");
    line(".B " + escaped(name));
    line(escaped(summary));
  }
  void line(const std::string& text) { text_.append(text).push_back('\n'); }

  const CommandPath& path_;
  const Command& command_;
  const std::string_view version_;
  std::string text_;
};

void add_pages(const CommandPath& path, std::string_view version, std::vector<ManualPage>& pages) {
  pages.push_back(PageWriter(path, version).write());
  for (const Command& subcommand : path.back()->subcommands) {
    if (subcommand.hidden) continue;
    CommandPath below = path;
    below.push_back(&subcommand);
    add_pages(below, version, pages);
  }
}

}  // namespace

std::vector<ManualPage> manual_pages(const Command& root, std::string_view version) {
  std::vector<ManualPage> pages;
  add_pages({&root}, version, pages);
  return pages;
}

}  // namespace clever::cli
