#include "service/wire/wire_request.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "git/git_command.h"
#include "io/file.h"
#include "service/text.h"
#include "service/wire/wire_document.h"

namespace clever::service {
namespace {

using model::Document;

struct OnlyHere {
  std::string_view operation;
  std::string_view why;
};

constexpr auto kOnlyHere = std::to_array<OnlyHere>({
    {"worker", "a worker is a process of the machine with the database"},
    {"plan drive", "it is a process of the machine with the database"},
    {"db migrate", "the server has the database open"},
    {"db rebuild", "the server has the database open"},
    {"db vacuum", "the server has the database open"},
});

constexpr auto kAboutThisProgram =
    std::to_array<std::string_view>({"", "init", "demo", "server", "completion", "help", "version",
                                     "manual", "complete", "login", "logout", "whoami"});

// Options that the client alone reads.
constexpr auto kOfClient = std::to_array<std::string_view>(
    {"format", "color", "directory", "quiet", "help", "version", "print", "server"});

Document look_document(const Look& look) {
  return Document::map()
      .set("color", look.color)
      .set("unicode", look.unicode)
      .set("width", look.width);
}

std::size_t size_at(const Document& document, std::string_view key) {
  // No terminal is wider, and no text is padded further.
  constexpr std::int64_t kMost = 10'000;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(number_at(document, key), 0, kMost));
}

Look look_at(const Document& document, std::string_view key) {
  const Document* look = document.find(key);
  if (look == nullptr) return {};
  return {flag_at(*look, "color"), flag_at(*look, "unicode"), size_at(*look, "width")};
}

Document terminal_document(const WireTerminal& terminal) {
  return Document::map()
      .set("format", to_string(terminal.format))
      .set("quiet", terminal.quiet)
      .set("output_is_terminal", terminal.output_is_terminal)
      .set("error_is_terminal", terminal.error_is_terminal)
      .set("can_ask", terminal.can_ask)
      .set("reads_keys", terminal.reads_keys)
      .set("edits", terminal.edits)
      .set("opens", terminal.opens)
      .set("dumb", terminal.dumb)
      .set("width", terminal.width)
      .set("rows", terminal.rows)
      .set("text_width", terminal.text_width)
      .set("output_look", look_document(terminal.output_look))
      .set("error_look", look_document(terminal.error_look));
}

WireTerminal read_terminal(const Document& document) {
  return {.format = format_from_string(text_at(document, "format")).value_or(Format::kPlain),
          .quiet = flag_at(document, "quiet"),
          .output_is_terminal = flag_at(document, "output_is_terminal"),
          .error_is_terminal = flag_at(document, "error_is_terminal"),
          .can_ask = flag_at(document, "can_ask"),
          .reads_keys = flag_at(document, "reads_keys"),
          .edits = flag_at(document, "edits"),
          .opens = flag_at(document, "opens"),
          .dumb = flag_at(document, "dumb"),
          .width = size_at(document, "width"),
          .rows = size_at(document, "rows"),
          .text_width = size_at(document, "text_width"),
          .output_look = look_at(document, "output_look"),
          .error_look = look_at(document, "error_look")};
}

Document place_document(const WirePlace& place) {
  return Document::map()
      .set("project", place.project)
      .set("directory", bytes_document(place.directory))
      .set("host", place.host)
      .set("root_commits", Document::texts(place.root_commits))
      .set("remotes", Document::texts(place.remotes))
      .set("is_complete", place.is_complete);
}

WirePlace place_of(const Document& document) {
  return {.project = text_at(document, "project"),
          .directory = bytes_at(document, "directory"),
          .host = text_at(document, "host"),
          .root_commits = texts_at(document, "root_commits"),
          .remotes = texts_at(document, "remotes"),
          .is_complete = flag_at(document, "is_complete")};
}

std::vector<std::string> bytes_list(const Document::List& items) {
  std::vector<std::string> texts;
  for (const Document& item : items) texts.push_back(bytes_of(item));
  return texts;
}

Document bytes_list_document(const std::vector<std::string>& texts) {
  Document list = Document::list();
  for (const std::string& text : texts) list.push(bytes_document(text));
  return list;
}

std::vector<std::string> lines_of_git(const std::string& folder,
                                      std::vector<std::string> arguments) {
  std::vector<std::string> lines;
  const auto output = git::git_output(folder, std::move(arguments));
  if (!output.ok()) return lines;
  for (const std::string_view line : base::split(*output, '\n')) {
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

// "git@host:a/b.git" and "https://host/a/b" are "host/a/b".
std::string plain_remote(std::string_view url) {
  std::string text(base::trimmed(url));
  if (const std::size_t scheme = text.find("://"); scheme != std::string::npos) {
    text.erase(0, scheme + 3);
  } else if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    text[colon] = '/';
  }
  if (const std::size_t at = text.find('@'); at < text.find('/')) text.erase(0, at + 1);
  while (text.ends_with('/')) text.pop_back();
  if (text.ends_with(".git")) text.resize(text.size() - 4);
  return base::lower_case(text);
}

base::Result<CommandPath> path_of(const Command& root, std::string_view operation) {
  CommandPath path{&root};
  for (const std::string_view word : base::split(operation, ' ')) {
    const Command* command = find_subcommand(*path.back(), word);
    if (command == nullptr) {
      return base::invalid_argument("this server knows no command " + in_quotes(operation));
    }
    path.push_back(command);
  }
  if (path.back()->handler == nullptr) {
    return base::invalid_argument(in_quotes(operation) + " is no command by itself");
  }
  return path;
}

base::Result<void> check_option(const Option* option, std::string_view name,
                                const std::vector<std::string>& values) {
  if (option == nullptr) {
    return base::invalid_argument("this server knows no option --" + std::string(name) + " there");
  }
  if (values.empty()) return base::invalid_argument("--" + std::string(name) + " has no value");
  for (const std::string& value : values) {
    if (option->choices.empty() || std::ranges::count(option->choices, value) > 0) continue;
    return base::invalid_argument("invalid value " + in_quotes(value) + " for --" +
                                  std::string(name) + ": expected " +
                                  alternatives(option->choices));
  }
  return {};
}

base::Result<void> check_words(const Command& command, const std::vector<std::string>& words) {
  const std::size_t most = command.positionals.size();
  const bool repeats = most > 0 && command.positionals.back().repeated;
  if (words.size() > most && !repeats) return base::invalid_argument("there are too many words");
  for (std::size_t i = words.size(); i < most; ++i) {
    if (!command.positionals[i].required) break;
    return base::invalid_argument("missing argument " + std::string(command.positionals[i].name));
  }
  return {};
}

}  // namespace

io::TerminalSize size_of(const Document& document) {
  return {.columns = std::max<std::size_t>(size_at(document, "columns"), 1),
          .rows = std::max<std::size_t>(size_at(document, "rows"), 1)};
}

std::string this_host() {
  const auto boot = io::read_file("/proc/sys/kernel/random/boot_id");
  return boot.ok() ? std::string(base::trimmed(*boot)) : std::string();
}

WirePlace completed(WirePlace place) {
  place.is_complete = true;
  place.root_commits = lines_of_git(place.directory, {"rev-list", "--max-parents=0", "HEAD"});
  for (const std::string& name : lines_of_git(place.directory, {"remote"})) {
    for (std::string& url : lines_of_git(place.directory, {"remote", "get-url", name})) {
      place.remotes.push_back(plain_remote(url));
    }
  }
  return place;
}

bool share_remote(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  if (ours.empty() || theirs.empty()) return true;
  return std::ranges::any_of(ours, [&](const std::string& one) {
    return std::ranges::any_of(
        theirs, [&](const std::string& other) { return plain_remote(one) == plain_remote(other); });
  });
}

WireRequest wire_request(const CommandPath& operation, const Invocation& invocation) {
  WireRequest request{.operation = joined({operation.begin() + 1, operation.end()}),
                      .words = invocation.words()};
  for (const Option* option : options_at(operation)) {
    if (!invocation.flag(option->name) || std::ranges::count(kOfClient, option->name) > 0) continue;
    request.options.emplace(option->name, invocation.values(option->name));
  }
  return request;
}

Document request_document(const WireRequest& request) {
  Document options = Document::map();
  for (const auto& [name, values] : request.options) {
    options.set(name, bytes_list_document(values));
  }
  Document settings = Document::map();
  for (const auto& [key, value] : request.settings) settings.set(key, bytes_document(value));
  return Document::map()
      .set("command", request.operation)
      .set("options", std::move(options))
      .set("words", bytes_list_document(request.words))
      .set("settings", std::move(settings))
      .set("person", bytes_document(request.person))
      .set("work", request.work)
      .set("place", place_document(request.place))
      .set("terminal", terminal_document(request.terminal));
}

WireRequest request_of(const Document& document) {
  WireRequest request{.operation = text_at(document, "command"),
                      .words = bytes_list(list_at(document, "words")),
                      .person = bytes_at(document, "person"),
                      .work = text_at(document, "work")};
  for (const auto& [name, values] : map_at(document, "options")) {
    const auto* list = std::get_if<Document::List>(&values.value());
    request.options.emplace(name, list == nullptr ? std::vector<std::string>() : bytes_list(*list));
  }
  for (const auto& [key, value] : map_at(document, "settings")) {
    request.settings.emplace_back(key, bytes_of(value));
  }
  if (const Document* place = document.find("place")) request.place = place_of(*place);
  if (const Document* terminal = document.find("terminal")) {
    request.terminal = read_terminal(*terminal);
  }
  return request;
}

base::Result<Invocation> invocation_of(const WireRequest& request, const Command& root) {
  CLEVER_ASSIGN(const CommandPath path, path_of(root, request.operation));
  Invocation invocation(root);
  for (std::size_t i = 1; i < path.size(); ++i) invocation.enter(*path[i]);
  const auto known = options_at(path);
  for (const auto& [name, values] : request.options) {
    const auto found = std::ranges::find(known, name, &Option::name);
    CLEVER_TRY(check_option(found == known.end() ? nullptr : *found, name, values));
    invocation.values_of(name) = values;
  }
  CLEVER_TRY(check_words(invocation.command(), request.words));
  for (const std::string& word : request.words) invocation.add_word(word);
  return invocation;
}

std::string_view only_here(std::string_view operation) noexcept {
  const auto* found = std::ranges::find(kOnlyHere, operation, &OnlyHere::operation);
  return found == kOnlyHere.end() ? std::string_view() : found->why;
}

bool is_about_this_program(std::string_view operation) noexcept {
  return std::ranges::find(kAboutThisProgram, operation) != kAboutThisProgram.end();
}

}  // namespace clever::service
