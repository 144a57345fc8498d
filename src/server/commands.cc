#include "server/commands.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "io/file.h"
#include "model/document_json.h"
#include "server/bind.h"
#include "server/client_terminal.h"
#include "server/command_place.h"
#include "service/text.h"
#include "service/wire/wire_document.h"
#include "service/wire/wire_report.h"
#include "storage/access.h"

namespace clever::server {
namespace {

using model::Document;
using service::Invocation;
using service::Right;
using service::Screen;
using service::WireRequest;

constexpr unsigned kMostRunning = 64;
constexpr std::size_t kMostKnown = 4096;
constexpr std::size_t kIdLength = 32;

std::string owner_of(const service::Caller& caller) { return caller.token + "\n" + caller.name; }

bool is_id(std::string_view text) {
  return text.size() == kIdLength && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Values that the server's machine would take for the name of a file.
bool names_file(std::string_view placeholder) {
  constexpr auto kFiles =
      std::to_array<std::string_view>({"FILE", "DIR", "FOLDER", "TASKS.yaml", "WORKSPACE"});
  return std::ranges::find(kFiles, placeholder) != kFiles.end();
}

base::Error takes_admin(const std::string& what) {
  return base::permission_denied(what + ": this takes the right `admin`");
}

bool begins_with_at(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts, [](const std::string& text) { return text.starts_with('@'); });
}

// No one else's text becomes the name of a file of this machine, or a setting of its safety.
base::Result<void> check_for_people(const Invocation& invocation, const WireRequest& request) {
  for (const service::Option* option : service::options_at(invocation.path())) {
    if (!invocation.flag(option->name)) continue;
    const bool is_file =
        names_file(option->value) || begins_with_at(invocation.values(option->name));
    if (is_file)
      return takes_admin("--" + std::string(option->name) + " names a file of the server");
    if (option->name == "unconfined" || option->name == "database") {
      return takes_admin("--" + std::string(option->name));
    }
  }
  const auto& positionals = invocation.command().positionals;
  const bool takes_file =
      !positionals.empty() && !invocation.words().empty() && names_file(positionals.front().name);
  if (takes_file || begins_with_at(invocation.words())) {
    return takes_admin("a word of this command names a file of the server");
  }
  for (const auto& [key, value] : request.settings) {
    if (!key.starts_with("output."))
      return takes_admin("the setting " + key + " of your environment");
  }
  return {};
}

base::Result<void> check_rights(const Invocation& invocation, const WireRequest& request,
                                const service::Caller& caller) {
  const service::Rights needed = service::rights_for(invocation.path(), invocation);
  for (const Right right : {Right::kRead, Right::kRun, Right::kApprove, Right::kAdmin}) {
    if (needed.has(right)) CLEVER_TRY(service::require(caller, right));
  }
  if (caller.rights.has(Right::kAdmin)) return {};
  return check_for_people(invocation, request);
}

Document error_document(const base::Error& error) {
  return Document::map()
      .set("code", base::to_string(error.code()))
      .set("detail", service::bytes_document(error.sentence()));
}

// What no one needs once the client is gone.
bool only_shows(const Invocation& invocation, const WireRequest& request) {
  return service::right_of(request.operation) == Right::kRead ||
         invocation.command().name == "watch";
}

// Opens the editor of the client: the last word of the program names the file that it edits.
Screen::Foreground editor_at(const std::shared_ptr<ClientCommand>& command) {
  return [command](const io::ForegroundProgram& editor) -> base::Result<int> {
    const std::filesystem::path file = editor.argv.back();
    const std::string name = file.filename().string();
    CLEVER_ASSIGN(const std::string content, io::read_file(file));
    CLEVER_ASSIGN(const auto text,
                  command->ask("edit", command->interruption(),
                               Document::map()
                                   .set("name", service::bytes_document(name))
                                   .set("content", service::bytes_document(content))));
    if (!text) return base::unavailable("the client left while it edited " + name);
    CLEVER_TRY(io::write_file_atomically(file, *text));
    return 0;
  };
}

// Until the caller's token ends.
std::optional<std::chrono::milliseconds> time_left(const service::Caller& caller,
                                                   const base::Clock& clock) {
  if (!caller.until) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*caller.until - clock.wall_now());
  return std::max(left, std::chrono::milliseconds(0));
}

Problem no_command() {
  return {.status = 404, .code = "not_found", .detail = "there is no such command any more"};
}

}  // namespace

Commands::Commands(const Parts& parts)
    : parts_(parts), table_(std::make_shared<base::Guarded<Table>>()), checks_(parts.pool) {
  rights_ = parts.operations.store().subscribe(std::string(storage::Access::kTopic), [this] {
    static_cast<void>(checks_.post([this] { check_tokens(); }));
  });
}

Commands::~Commands() { drain(); }

void Commands::check_tokens() {
  const auto all = table_->with([](const Table& table) { return table.known; });
  for (const auto& [id, command] : all) {
    const std::string token = command->token();
    if (!token.empty() && !parts_.admits(token)) command->cut();
  }
}

void Commands::drain() {
  const auto all = table_->with([](Table& table) {
    table.draining = true;
    return table.known;
  });
  for (const auto& [id, command] : all) command->abandon();
  end_.request_stop();
}

std::optional<Problem> Commands::begin(const http::Request& request, const service::Caller& caller,
                                       http::Responder& responder) {
  const auto body = json_body(request);
  if (!body.ok()) return bad_request(body.error());
  const std::string id(request.header("idempotency-key").value_or(""));
  if (!is_id(id)) {
    return bad_request(base::invalid_argument(
        "Idempotency-Key: expected 32 hexadecimal digits, a new command's id"));
  }
  if (const Command known = find(id, caller)) {
    known->attach(0, std::move(responder));
    return std::nullopt;
  }
  const WireRequest asked = service::request_of(*body);
  auto invocation = service::invocation_of(asked, parts_.operations.root());
  if (!invocation.ok()) return problem_of(invocation.error());
  if (const auto may = check_rights(*invocation, asked, caller); !may.ok()) {
    return problem_of(may.error());
  }
  if (!asked.work.empty() && !parts_.operations.works_like(asked.work)) {
    return Problem{.status = 409,
                   .code = "other_work",
                   .detail = "this server has other settings, keys or another database"};
  }
  auto place = place_of(asked, *invocation, caller, parts_.projects, parts_.operations);
  if (auto* problem = std::get_if<Problem>(&place)) return std::move(*problem);
  const auto command = add(id, caller, only_shows(*invocation, asked),
                           {.columns = asked.terminal.width, .rows = asked.terminal.rows});
  if (!command) {
    return Problem{.status = 503,
                   .code = "unavailable",
                   .detail = "the server does as many commands as it can, or is about to stop"};
  }
  (*command)->attach(0, std::move(responder));
  run(*command, *std::move(invocation), caller, asked, std::get<std::filesystem::path>(place));
  return std::nullopt;
}

std::optional<Commands::Command> Commands::add(const std::string& id, const service::Caller& caller,
                                               bool only_looks, io::TerminalSize size) {
  const ClientCommand::Parts parts{
      .pool = parts_.pool,
      .timers = parts_.timers,
      .stop = end_.token(),
      .only_looks = only_looks,
      .lasts = time_left(caller, parts_.clock),
      .on_forgotten = [weak = std::weak_ptr(table_), &pool = parts_.pool, id] {
        const auto table = weak.lock();
        if (table == nullptr) return;
        Command gone = table->with([&](Table& all) {
          const auto found = all.known.find(id);
          if (found == all.known.end()) return Command();
          Command command = std::move(found->second);
          all.known.erase(found);
          return command;
        });
        // It does not end within its own task.
        static_cast<void>(pool.post([gone = std::move(gone)] {}));
      }};
  auto command = std::make_shared<ClientCommand>(parts, owner_of(caller), size);
  const bool added = table_->with([&](Table& table) {
    if (table.draining || table.running >= kMostRunning || table.known.size() >= kMostKnown) {
      return false;
    }
    ++table.running;
    return table.known.emplace(id, command).second;
  });
  if (!added) return std::nullopt;
  return command;
}

void Commands::run(const Command& command, Invocation invocation, const service::Caller& caller,
                   const WireRequest& request, const std::filesystem::path& folder) {
  base::ThreadPool& threads = threads_.get([] {
    return std::make_unique<base::ThreadPool>(
        base::ThreadPool::Options{.name = "commands", .threads = kMostRunning});
  });
  service::Caller who = caller;
  // Who reads the home's own token is its owner, by the account's name.
  if (who.token.empty() && !request.person.empty()) who.name = request.person;
  const auto posted = threads.post(
      [this, command, who, request, folder, invocation = std::move(invocation)]() mutable {
        const Operations::Client client{
            .folder = folder,
            .settings = request.settings,
            .text_width = request.terminal.text_width,
            .screen = [&] { return screen_at(command, request.terminal); },
            .input = [&]() -> base::Result<std::string> {
              CLEVER_ASSIGN(auto text, command->ask("input", command->interruption()));
              return std::move(text).value_or("");
            },
            .stop = command->interruption(),
            .insistence = command->insistence()};
        const auto report = parts_.operations.run_for(client, std::move(invocation), who);
        table_->with([](Table& table) { --table.running; });
        command->end(report.ok() ? Document::map().set("report", service::report_document(*report))
                                 : Document::map().set("error", error_document(report.error())));
      });
  if (!posted.ok()) command->end(Document::map().set("error", error_document(posted.error())));
}

Screen Commands::screen_at(const Command& command, const service::WireTerminal& terminal) const {
  const auto tell = [command](std::string_view key, Document what) {
    command->emit(Document::map().set(key, std::move(what)));
    return base::Result<void>();
  };
  const auto read = [command](std::string_view kind) -> Screen::ReadLine {
    return [command, kind](const base::StopToken& stop) { return command->ask(kind, stop); };
  };
  Screen screen{
      .format = terminal.format,
      .quiet = terminal.quiet,
      .output_is_terminal = terminal.output_is_terminal,
      .error_is_terminal = terminal.error_is_terminal,
      .width = terminal.width,
      .size = [width = terminal.width,
               rows = terminal.rows] { return io::TerminalSize{width, rows}; },
      .output_look = terminal.output_look,
      .error_look = terminal.error_look,
      .output =
          [tell](std::string_view text) { return tell("output", service::bytes_document(text)); },
      .error_output =
          [tell](std::string_view text) {
            return tell("error_output", service::bytes_document(text));
          },
      .say =
          [tell](const service::View& view) { return tell("say", service::view_document(view)); },
      .prompt =
          [tell](const service::Line& line) {
            return tell("prompt", service::line_document(line));
          },
      .read_line = terminal.can_ask ? read("line") : Screen::ReadLine(),
      .read_key = terminal.reads_keys ? read("key") : Screen::ReadLine()};
  if (terminal.edits) screen.foreground = editor_at(command);
  if (terminal.opens) {
    screen.open_terminal = [command, &clock = parts_.clock](io::OwnedTerminal::Mode mode) {
      return base::Result<std::unique_ptr<io::OwnedTerminal>>(
          std::make_unique<ClientTerminal>(command, clock, mode));
    };
  }
  if (parts_.make_live == nullptr) return screen;
  screen.live = [this, screen, dumb = terminal.dumb](service::LiveOptions options) {
    options.dumb = dumb;
    Screen on = screen;
    if (options.on_output && !on.output_is_terminal) {
      on.error_is_terminal = false;
      on.error_output = on.output;
    }
    return parts_.make_live(std::move(on), parts_.clock, options);
  };
  return screen;
}

Commands::Command Commands::find(const std::string& id, const service::Caller& caller) const {
  return table_->with([&](const Table& table) {
    const auto found = table.known.find(id);
    const bool is_own = found != table.known.end() && found->second->owner() == owner_of(caller);
    return is_own ? found->second : Command();
  });
}

std::optional<Problem> Commands::attach(const std::string& id, std::int64_t after,
                                        const service::Caller& caller, http::Responder& responder) {
  const Command command = find(id, caller);
  if (command == nullptr) return no_command();
  command->attach(after, std::move(responder));
  return std::nullopt;
}

Answer Commands::answer(const std::string& id, const Document& body,
                        const service::Caller& caller) {
  const Command command = find(id, caller);
  if (command == nullptr) return no_command();
  base::Result<std::optional<std::string>> text = std::optional<std::string>();
  if (body.find("text") != nullptr) text = std::optional(service::bytes_at(body, "text"));
  if (const std::string error = service::bytes_at(body, "error"); !error.empty()) {
    const auto code = base::error_code_from_string(service::text_at(body, "code"));
    text = base::Error(code.value_or(base::ErrorCode::kUnavailable), error);
  }
  if (!command->answer(service::number_at(body, "question"), std::move(text))) {
    return Problem{.status = 409, .code = "conflict", .detail = "this question is not open"};
  }
  return json_response(200, Document::map());
}

Answer Commands::type(const std::string& id, const Document& body, const service::Caller& caller) {
  const Command command = find(id, caller);
  if (command == nullptr) return no_command();
  const io::TerminalInput input{.bytes = service::bytes_at(body, "text"),
                                .resized = service::flag_at(body, "resized"),
                                .ended = service::flag_at(body, "ended")};
  if (!command->typed(service::number_at(body, "number"), input, service::size_of(body))) {
    return Problem{.status = 429,
                   .code = "resource_exhausted",
                   .detail = "the view has not read what was typed before"};
  }
  return json_response(200, Document::map());
}

Answer Commands::interrupt(const std::string& id, const service::Caller& caller) {
  const Command command = find(id, caller);
  if (command == nullptr) return no_command();
  command->interrupt();
  return json_response(200, Document::map());
}

}  // namespace clever::server
