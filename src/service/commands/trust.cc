#include "engine/trust.h"

#include <algorithm>

#include "git/project.h"
#include "service/commands/commands.h"
#include "service/invocation.h"
#include "service/plan/trusted_commands.h"
#include "service/text.h"

namespace clever::service {
namespace {

using engine::NamedCommand;
using engine::TrustStore;

std::string quoted(const std::string& word) {
  const bool plain =
      !word.empty() && word.find_first_of(" \t\n\"'\\$`;|&<>()*?") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Shows a text for the shell unchanged.
std::string shown_words(const std::vector<std::string>& argv) {
  if (argv.size() == 3 && argv[0] == "sh" && argv[1] == "-c") return argv[2];
  std::string text;
  for (const std::string& word : argv) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

std::string shown_place(const std::string& place, const std::filesystem::path& project) {
  const std::string root = project.string() + "/";
  return place.starts_with(root) ? place.substr(root.size()) : place;
}

class TrustCommand {
 public:
  TrustCommand(const Invocation& invocation, Context& context, const config::Settings& settings)
      : invocation_(invocation), context_(context), settings_(settings) {}

  base::Result<Report> run() {
    CLEVER_ASSIGN(const git::Project project, context_.project());
    project_ = project.root;
    if (invocation_.flag("revoke")) return revoke();
    CLEVER_ASSIGN(found_, project_trust(context_, settings_, project_));
    for (const std::string& problem : found_.offer.problems) report_.warn(problem);
    for (const std::string& actor : unused_actors(context_, project_)) report_.warn(actor);
    CLEVER_TRY(show());
    if (invocation_.flag("show") || found_.untrusted.empty()) return std::move(report_);
    CLEVER_ASSIGN(const bool agreed, is_agreed());
    if (!agreed) return std::move(report_);
    return trust();
  }

 private:
  base::Result<Report> revoke() {
    CLEVER_ASSIGN(TrustStore store, TrustStore::open(context_.home()));
    CLEVER_TRY(store.revoke(project_, context_.stop()));
    report_.data.set("project", project_.string()).set("trusted", false);
    report_.view = {
        Prose{{{{"nothing of "}, {project_.string(), Tone::kStrong}, {" is trusted any more"}}}}};
    return std::move(report_);
  }

  [[nodiscard]] bool is_trusted(const NamedCommand& command) const {
    return std::ranges::find(found_.untrusted, command) == found_.untrusted.end();
  }

  base::Result<void> show() {
    Document list = Document::list();
    Table table{"", {"kind", "name", "command", "files", "named in", "trusted"}, {}};
    for (const NamedCommand& command : found_.commands) {
      auto files = TrustStore::files_of(project_, command);
      // The command could never run: the author of the file has to correct it.
      if (!files.ok()) {
        return blame_file(base::Error(files.error())
                              .add_context(command.kind + " " + command.name + " (" +
                                           shown_place(command.place, project_) + ")"));
      }
      add(command, *files, list, table);
    }
    report_.data.set("project", project_.string())
        .set("trusted", found_.untrusted.empty())
        .set("commands", std::move(list));
    if (found_.commands.empty()) {
      report_.view = {Prose{{{{"no file of this project names a command"}}}}};
    } else {
      report_.view = {std::move(table)};
    }
    return {};
  }

  void add(const NamedCommand& command, const std::vector<std::string>& files, Document& list,
           Table& table) const {
    Document names = Document::list();
    std::string all;
    for (const std::string& file : files) {
      names.push(file);
      all += (all.empty() ? "" : ", ") + file;
    }
    Document argv = Document::list();
    for (const std::string& word : command.argv) argv.push(word);
    const bool trusted = is_trusted(command);
    list.push(Document::map()
                  .set("kind", command.kind)
                  .set("name", command.name)
                  .set("command", std::move(argv))
                  .set("files", std::move(names))
                  .set("place", shown_place(command.place, project_))
                  .set("trusted", trusted));
    table.rows.push_back({{command.kind},
                          {command.name, Tone::kStrong},
                          {shown_words(command.argv), Tone::kAccent},
                          {all.empty() ? "-" : all, Tone::kDim},
                          {shown_place(command.place, project_), Tone::kDim},
                          {trusted ? "yes" : "no", trusted ? Tone::kGood : Tone::kWarn}});
  }

  base::Result<bool> is_agreed() {
    if (invocation_.flag("yes")) return true;
    const Screen screen = context_.screen();
    if (screen.can_ask()) {
      CLEVER_TRY(screen.error_output(listing()));
      CLEVER_ASSIGN(const bool yes,
                    screen.confirm("Trust the untrusted entries?", context_.stop()));
      if (yes) return true;
    }
    report_.status = Status::kError;
    report_.exit_code = ExitCode::kNeedsPerson;
    const std::size_t count = found_.untrusted.size();
    report_.messages.push_back({Message::Level::kError, std::to_string(count) + " of these " +
                                                            (count == 1 ? "is" : "are") +
                                                            " not trusted; nothing was changed"});
    if (!screen.can_ask()) {
      report_.messages.push_back({Message::Level::kHint, "read them, then: agents trust --yes"});
    }
    return false;
  }

  // The listing that a person sees before the question.
  [[nodiscard]] std::string listing() const {
    std::string text = "Files of " + printable(project_.string()) + " would have these run:\n";
    for (const NamedCommand& command : found_.untrusted) {
      text += "  " + printable(command.kind + " " + command.name) + ": " +
              printable(shown_words(command.argv)) + "\n    named in " +
              printable(shown_place(command.place, project_)) + "\n";
    }
    return text;
  }

  base::Result<Report> trust() {
    CLEVER_ASSIGN(TrustStore store, TrustStore::open(context_.home()));
    CLEVER_TRY(store.trust(project_, found_.commands, context_.stop()));
    const std::size_t count = found_.untrusted.size();
    found_.untrusted = store.untrusted(project_, found_.commands);
    report_.data = {};
    CLEVER_TRY(show());
    report_.view.emplace_back(
        Prose{{{{"trusted", Tone::kGood},
                {": " + std::to_string(count) + (count == 1 ? " command" : " commands") +
                 " until one of them changes"}}}});
    return std::move(report_);
  }

  const Invocation& invocation_;
  Context& context_;
  const config::Settings& settings_;
  std::filesystem::path project_;
  ProjectTrust found_;
  Report report_;
};

base::Result<Report> change_trust(const Invocation& invocation, Context& context) {
  const bool several = static_cast<int>(invocation.flag("show")) +
                           static_cast<int>(invocation.flag("revoke")) +
                           static_cast<int>(invocation.flag("yes")) >
                       1;
  if (several) return base::invalid_argument("--show, --revoke and --yes exclude each other");
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  return TrustCommand(invocation, context, *settings).run();
}

}  // namespace

Command trust_command() {
  return {.name = "trust",
          .summary = "Trust the commands that this project's files name",
          .description =
              "A cloned repository is not trusted: agents does not use its validations, hooks, MCP "
              "servers, custom tools, skills or sandbox.setup until you have approved them here. "
              "Your home folder remembers each approval by its exact text and by the content of "
              "the project files it names; after any change you are asked again. A project's "
              "actors are never used: `agents actor add` makes one yours.\n\nAt a terminal it "
              "asks. Elsewhere it needs --yes, and exits with 5 without it.",
          .options = {{.name = "yes", .letter = 'y', .summary = "Trust them without a question"},
                      {.name = "show", .summary = "Show them and which are trusted, and stop"},
                      {.name = "revoke", .summary = "Withdraw all trust in this project"}},
          .examples = {{"agents trust", "Look at them and decide"},
                       {"agents trust --show --format json", "What is named and what is trusted"},
                       {"agents trust --yes", "In a script, for a repository that you know"},
                       {"agents trust --revoke", "Withdraw it"}},
          .handler = change_trust};
}

}  // namespace clever::service
