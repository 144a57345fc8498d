#include "service/wire/remote.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/sha256.h"
#include "base/text.h"
#include "io/file.h"
#include "io/http_fetch.h"
#include "io/sse.h"
#include "model/document_json.h"
#include "service/caller.h"
#include "service/commands/db.h"
#include "service/diff/editor.h"
#include "service/plan/plan_jobs.h"
#include "service/text.h"
#include "service/wire/lent_terminal.h"
#include "service/wire/server_logins.h"
#include "service/wire/wire_document.h"
#include "service/wire/wire_report.h"
#include "service/wire/wire_request.h"

namespace clever::service {
namespace {

using model::Document;
using std::chrono::milliseconds;

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kWhichProject = "which_project";
constexpr std::string_view kOtherWork = "other_work";
constexpr std::string_view kNoServer = "no_server";
constexpr std::size_t kLargestText = std::size_t{4} << 20U;
constexpr std::size_t kLongestLine = std::size_t{256} << 20U;
// A server sends a heartbeat every 15 s.
constexpr milliseconds kLongestSilence{60'000};
constexpr milliseconds kAnswerTakes{30'000};
constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{3'000};
constexpr int kMostConnections = 10;
// After the second Ctrl-C.
constexpr milliseconds kLeaveTakes{5'000};

/// The lines of a stream as they arrive. Written by the network thread, read by the command's.
class Lines final : public io::HttpSink {
 public:
  struct Piece {
    std::deque<std::string> lines{};
    /// Of the present connection.
    std::optional<int> status{};
    std::optional<io::HttpEnd> end{};
  };

  void on_head(const io::HttpHead& head) override {
    state_.update([&](Piece& piece) { piece.status = head.status; });
  }
  void on_data(std::string_view bytes) override {
    std::deque<std::string> lines;
    splitter_.feed(bytes, [&](std::string_view line) { lines.emplace_back(line); });
    state_.update([&](Piece& piece) {
      for (std::string& line : lines) piece.lines.push_back(std::move(line));
    });
  }
  void on_end(const io::HttpEnd& end) override {
    state_.update([&](Piece& piece) {
      if (!splitter_.rest().empty()) piece.lines.emplace_back(splitter_.rest());
      piece.end = end;
    });
  }

  /// Whatever arrived, as soon as something did.
  base::Result<Piece> next(const base::StopToken& stop, base::Deadline deadline) {
    return state_.update_when(
        stop, deadline,
        [](const Piece& piece) { return !piece.lines.empty() || piece.end.has_value(); },
        [](Piece& piece) {
          Piece taken = piece;
          piece.lines.clear();
          return taken;
        });
  }

 private:
  // Owned by the network thread.
  io::LineSplitter splitter_{kLongestLine};
  base::Monitor<Piece> state_;
};

std::string new_command_id() {
  base::SystemRandom random;
  base::Sha256Digest::Bytes bytes{};
  random.fill(std::as_writable_bytes(std::span(bytes)));
  return base::Sha256Digest(bytes).to_hex().substr(0, 32);
}

// What a problem document says.
base::Error error_of(const Document& problem, int status) {
  auto code = base::error_code_from_string(text_at(problem, "code"));
  if (text_at(problem, "code") == kWhichProject) code = base::ErrorCode::kNotFound;
  std::string text = text_at(problem, "detail");
  if (text.empty()) text = "the server answered with the status " + std::to_string(status);
  if (const std::string hint = text_at(problem, "hint"); !hint.empty()) text += "; " + hint;
  return {code.value_or(status == 401 ? base::ErrorCode::kPermissionDenied
                                      : base::ErrorCode::kUnavailable),
          std::move(text)};
}

// Without . and .., and no / at its end.
std::string plain_path(const std::filesystem::path& path) {
  const std::filesystem::path normal = path.lexically_normal();
  return normal.has_filename() ? normal.string() : normal.parent_path().string();
}

bool goes_to_server(std::string_view key) {
  return !key.starts_with("log.") && !key.starts_with("database.") && key != "output.format" &&
         key != "output.color";
}

std::vector<std::pair<std::string, std::string>> settings_of_environment(Context& context) {
  std::vector<std::pair<std::string, std::string>> settings;
  if (!context.settings().ok()) return settings;
  for (const auto& [key, value] : context.settings()->list()) {
    if (value.layer == config::Layer::kEnvironment && goes_to_server(key)) {
      settings.emplace_back(key, value.text);
    }
  }
  return settings;
}

WireTerminal terminal_of(const Screen& screen, const Context& context) {
  return {.format = screen.format,
          .quiet = screen.quiet,
          .output_is_terminal = screen.output_is_terminal,
          .error_is_terminal = screen.error_is_terminal,
          .can_ask = screen.can_ask(),
          .reads_keys = screen.read_key != nullptr,
          .edits = screen.foreground != nullptr,
          .opens = screen.open_terminal != nullptr,
          .dumb = context.environment().value("TERM") == "dumb",
          .width = screen.width,
          .rows = screen.size().rows,
          .text_width = context.width(),
          .output_look = screen.output_look,
          .error_look = screen.error_look};
}

std::string typed_server(const Invocation& invocation, const Context& context) {
  const auto variable = context.environment().value("CLEVERAGENTS_SERVER").value_or("");
  return std::string(invocation.value("server").value_or(variable));
}

/// One command that a server does for this command line. Used by one thread.
class RemoteCall {
 public:
  RemoteCall(const Remote& remote, Context& context)
      : remote_(remote),
        base_url_(server_url(remote.address)),
        context_(context),
        // Before there is a thread of the network: from now on Ctrl-C is a request.
        interrupt_(context.stop()),
        left_(interrupt_),
        insistence_(context.insistence()),
        screen_(context.screen()),
        http_(context.models().http()) {}

  /// `work`: of a command that only a server does which works like that; empty: any.
  base::Result<Report> run(const CommandPath& operation, const Invocation& invocation,
                           const std::string& work = {}) {
    WireRequest request = wire_request(operation, invocation);
    request.work = work;
    request.settings = settings_of_environment(context_);
    request.person = person_name(context_);
    request.place = {.directory = plain_path(context_.directory()), .host = this_host()};
    name_project(*operation.back(), request);
    CLEVER_TRY(read_texts(request));
    request.terminal = terminal_of(screen_, context_);
    auto answered = command(request);
    if (refusal_ != kWhichProject || request.place.is_complete) return answered;
    request.place = completed(std::move(request.place));
    return command(request);
  }

  /// Why nothing was begun: a word of the server, or kNoServer; empty: it was.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }

 private:
  io::HttpRequest request_to(std::string method, const std::string& path, std::string body = {}) {
    io::HttpRequest request{.method = std::move(method),
                            .url = base_url_ + path,
                            .headers = {{"Authorization", "Bearer " + remote_.token},
                                        {"Accept", "application/x-ndjson"}},
                            .body = std::move(body)};
    if (!request.body.empty()) request.headers.push_back({"Content-Type", "application/json"});
    return request;
  }

  // --project DIR names a folder of this machine, any other word a project of the server.
  void name_project(const Command& command, WireRequest& request) {
    const auto given = request.options.find("project");
    const auto own = std::ranges::find(command.options, "project", &Option::name);
    const bool is_own = own != command.options.end();
    if (given == request.options.end() || (is_own && own->value.empty())) return;
    if (given->second.size() != 1) return;
    const std::string& name = given->second.front();
    const bool is_folder = io::file_kind(context_.directory() / name) == io::FileKind::kDirectory;
    if (is_folder && is_own) return;
    if (is_folder) {
      request.place.directory = plain_path(context_.directory() / name);
    } else {
      request.place.project = name;
    }
    request.options.erase(given);
  }

  // Reads the files that stand for a text: they are this machine's.
  base::Result<void> read_texts(WireRequest& request) {
    const bool is_run = request.operation == "run";
    if (is_run || request.operation == "plan prompt") {
      for (std::string& word : request.words) {
        CLEVER_TRY(
            read_text(word, is_run ? "a task that begins with @ names the file to read" : ""));
      }
    }
    const auto guidance = request.options.find("guidance");
    if (guidance == request.options.end()) return {};
    for (std::string& text : guidance->second) CLEVER_TRY(read_text(text, ""));
    return {};
  }

  base::Result<void> read_text(std::string& typed, const std::string& doing) {
    if (!typed.starts_with('@')) return {};
    auto text = io::read_file(context_.directory() / typed.substr(1), kLargestText);
    if (!text.ok()) {
      return doing.empty() ? text.error() : std::move(text).error().add_context(doing);
    }
    // The server takes no text for the name of a file, and reports a blank one by its name here.
    const bool is_name = text->starts_with('@') || *text == "-";
    if (!base::trimmed(*text).empty()) typed = (is_name ? "\n" : "") + *std::move(text);
    return {};
  }

  void connect(io::HttpRequest request) {
    request.deadlines.first_byte = milliseconds(0);
    request.deadlines.idle = kLongestSilence;
    request.answer_limit = std::size_t{1} << 40U;
    lines_ = std::make_shared<Lines>();
    exchange_ = http_.start(std::move(request), lines_);
  }

  base::Result<Report> command(const WireRequest& request) {
    id_ = new_command_id();
    io::HttpRequest post =
        request_to("POST", "/v1/commands", model::to_json(request_document(request)));
    post.headers.push_back({"Idempotency-Key", id_});
    connect(std::move(post));
    std::string refusal;
    while (true) {
      const base::Deadline deadline =
          leaving_ ? base::Deadline::after(context_.clock(), kLeaveTakes) : base::Deadline::never();
      auto piece = lines_->next(stop_token(), deadline);
      if (!piece.ok() && piece.error().code() == base::ErrorCode::kDeadlineExceeded) return left();
      if (!piece.ok()) {
        if (left_.stop_requested() && !interrupt_.stop_requested()) return lost();
        interrupt();
        continue;
      }
      if (piece->status && *piece->status != 200) {
        for (const std::string& line : piece->lines) refusal += line;
        if (!piece->end) continue;
        // A proxy says so while the server is away.
        const bool is_away = began_ && *piece->status >= 502 && *piece->status <= 504;
        if (!is_away) return refused(refusal, *piece->status);
        refusal.clear();
        CLEVER_TRY(connect_again({.failure = io::HttpFailure::kCut,
                                  .message = "HTTP " + std::to_string(*piece->status)}));
        continue;
      }
      for (const std::string& line : piece->lines) {
        CLEVER_ASSIGN(auto report, take(line));
        if (report) return *std::move(report);
      }
      if (piece->end) CLEVER_TRY(connect_again(*piece->end));
    }
  }

  base::Result<Report> refused(const std::string& body, int status) {
    const auto problem = model::parse_document(body);
    const Document document = problem.ok() ? *problem : Document::map();
    refusal_ = text_at(document, "code");
    if ((status == 404 || status == 410) && began_) return lost();
    if (refusal_.empty()) {
      return base::unavailable(remote_.address +
                               " does not answer as a server of agents does (HTTP " +
                               std::to_string(status) + "): check its URL");
    }
    base::Error error = error_of(document, status);
    if (status != 401) return error;
    std::string text =
        error.sentence() + "; `agents login " + remote_.address + "` gets another token";
    if (began_) text += "; what was begun goes on there";
    return base::Error(error.code(), std::move(text));
  }

  /// The report, if the line brings it.
  base::Result<std::optional<Report>> take(const std::string& line) {
    const auto parsed = model::parse_document(line);
    if (!parsed.ok())
      return base::corruption(remote_.address + " sent what is no event of a command");
    const Document& event = *parsed;
    began_ = true;
    if (const std::int64_t number = number_at(event, "n"); number > 0) last_ = number;
    if (const Document* report = event.find("report")) return std::optional(report_of(*report));
    if (const Document* error = event.find("error")) return error_of(*error, 500);
    const auto shown = show(event);
    // The reader of the output is gone (`| head`): the command has no one to tell more.
    if (!shown.ok()) {
      post("/stop", Document::map());
      return shown.error();
    }
    return std::optional<Report>();
  }

  base::Result<void> show(const Document& event) {
    if (const Document* text = event.find("output")) return screen_.output(bytes_of(*text));
    if (const Document* text = event.find("error_output")) {
      return screen_.error_output(bytes_of(*text));
    }
    if (const Document* view = event.find("say")) return screen_.say(view_of(*view));
    if (const Document* line = event.find("prompt")) return screen_.prompt(line_of(*line));
    if (const Document* question = event.find("question")) answer(*question);
    if (const Document* terminal = event.find("terminal")) return show_view(*terminal);
    return {};
  }

  base::Result<void> show_view(const Document& event) {
    if (event.find("open") != nullptr && screen_.open_terminal) {
      using Mode = io::OwnedTerminal::Mode;
      const Mode mode = text_at(event, "open") == "screen" ? Mode::kScreen : Mode::kLine;
      CLEVER_ASSIGN(auto terminal, screen_.open_terminal(mode));
      view_.emplace(LentTerminal::Parts{
          .terminal = std::move(terminal),
          .send = [this](
                      const Document& typed,
                      const base::StopToken& stop) { return send("/terminal", typed, stop).ok(); },
          .on_leave = [this] { left_.request_stop(); }});
    }
    if (!view_) return {};
    if (const Document* bytes = event.find("write")) return view_->write(bytes_of(*bytes));
    if (event.find("suspend") != nullptr) view_->suspend();
    if (event.find("resume") != nullptr) view_->resume();
    if (event.find("close") != nullptr) view_.reset();
    return {};
  }

  // The person's own editor, whether or not a view has the terminal.
  base::Result<std::string> edited(const Document& question) {
    Screen::Foreground run = screen_.foreground;
    if (view_)
      run = [this](const io::ForegroundProgram& editor) { return view_->run(editor.argv); };
    return text_from_editor(bytes_at(question, "name"), bytes_at(question, "content"), context_,
                            run);
  }

  void answer(const Document& question) {
    const std::string kind = text_at(question, "kind");
    Document answer = Document::map().set("question", number_at(question, "number"));
    if (kind == "input" || kind == "edit") {
      const auto text = kind == "input" ? context_.input() : edited(question);
      if (text.ok()) {
        answer.set("text", bytes_document(*text));
      } else {
        answer.set("error", bytes_document(text.error().sentence()))
            .set("code", base::to_string(text.error().code()));
      }
    } else {
      const bool wants_key = kind == "key" && screen_.read_key;
      const auto& read = wants_key ? screen_.read_key : screen_.read_line;
      const auto typed = read ? read(stop_token()) : std::optional<std::string>();
      // Ctrl-C: the server withdraws the question itself.
      if (!typed.ok()) return interrupt();
      if (*typed) answer.set("text", bytes_document(**typed));
    }
    constexpr int kTooLarge = 413;
    if (post("/answer", answer) != kTooLarge) return;
    post("/answer", Document::map()
                        .set("question", number_at(question, "number"))
                        .set("error", "the text is larger than the server takes"));
  }

  // Of the next Ctrl-C.
  [[nodiscard]] base::StopToken stop_token() const {
    if (!interrupted_) return left_.token();
    return leaving_ ? base::StopToken() : insistence_;
  }

  void interrupt() {
    if (!stop_token().stop_requested()) return;
    (interrupted_ ? leaving_ : interrupted_) = true;
    post("/stop", Document::map());
  }

  // Any status is an answer.
  base::Result<int> send(const std::string& what, const Document& body,
                         const base::StopToken& stop) {
    CLEVER_ASSIGN(
        const auto answered,
        io::fetch(http_, request_to("POST", "/v1/commands/" + id_ + what, model::to_json(body)),
                  stop, base::Deadline::after(context_.clock(), kAnswerTakes)));
    return answered.head.status;
  }

  // What cannot be sent now is sent again: the server does not go on without it. Returns the
  // status; 0 if the server was not reached.
  int post(const std::string& what, const Document& body) {
    for (int attempt = 0; attempt < kMostConnections; ++attempt) {
      const auto status = send(what, body, {});
      if (status.ok()) return *status;
      if (!pause(attempt)) break;
    }
    return 0;
  }

  // False if a person does not want to wait.
  bool pause(int attempt) {
    const milliseconds pause = std::min(kFirstPause * (1 << attempt), kLongestPause);
    const auto waited =
        base::Monitor<bool>().wait(stop_token(), base::Deadline::after(context_.clock(), pause),
                                   [](const bool& over) { return over; });
    return !waited.ok() && waited.error().code() == base::ErrorCode::kDeadlineExceeded;
  }

  base::Result<void> connect_again(const io::HttpEnd& end) {
    const bool was_there = began_ || end.failure == io::HttpFailure::kCut;
    if (end.failure && (!was_there || attempt_ >= kMostConnections)) {
      if (!was_there) refusal_ = kNoServer;
      return base::unavailable("the server " + remote_.address +
                               " cannot be reached: " + end.message);
    }
    // A connection that brought something begins the count anew.
    attempt_ = std::exchange(last_at_break_, last_) == last_ ? attempt_ + 1 : 1;
    if (attempt_ > kMostConnections || !pause(attempt_ - 1)) return lost();
    connect(request_to("GET", "/v1/commands/" + id_ + "?after=" + std::to_string(last_)));
    return {};
  }

  [[nodiscard]] base::Error lost() const {
    return base::unavailable("the server " + remote_.address +
                             " was lost while it worked: `agents plan list` shows its plans, "
                             "`agents resume` continues one that stopped with it");
  }
  [[nodiscard]] base::Error left() const {
    return base::cancelled("left: what was begun goes on at " + remote_.address +
                           "; `agents watch` follows it");
  }

  // Constant after construction.
  const Remote& remote_;
  const std::string base_url_;
  Context& context_;
  const base::StopToken interrupt_;
  /// Also when the person leaves a view that the server no longer serves.
  base::StopSource left_;
  const base::StopToken insistence_;
  const Screen screen_;
  io::Http& http_;

  std::string id_;
  std::shared_ptr<Lines> lines_;
  std::unique_ptr<io::HttpExchange> exchange_;
  /// The number of the last event, and of that at the last break.
  std::int64_t last_ = 0;
  std::int64_t last_at_break_ = -1;
  int attempt_ = 0;
  bool began_ = false;
  /// Why the server did not begin.
  std::string refusal_;
  bool interrupted_ = false;
  bool leaving_ = false;
  // Last: its thread uses those above.
  std::optional<LentTerminal> view_;
};

}  // namespace

bool names_server(const Invocation& invocation, const Context& context) {
  return !typed_server(invocation, context).empty();
}

base::Result<Remote> remote_of(const Invocation& invocation, const Context& context) {
  auto address = server_address(typed_server(invocation, context));
  if (!address.ok()) {
    return std::move(address).error().add_context(
        invocation.flag("server") ? "--server" : "CLEVERAGENTS_SERVER");
  }
  CLEVER_ASSIGN(std::string token, token_for(context.home(), *address));
  context.redactor().add(token);
  return Remote{.address = *std::move(address), .token = std::move(token)};
}

base::Result<Report> call_remote(const Remote& remote, const CommandPath& operation,
                                 const Invocation& invocation, Context& context) {
  const std::string name = joined({operation.begin() + 1, operation.end()});
  if (const std::string_view why = only_here(name); !why.empty()) {
    return base::invalid_argument("`agents " + name +
                                  "` works only on the server's machine: " + std::string(why));
  }
  // What mends a broken file works all the same, as it does without a server.
  if (!name.starts_with("config ") && !context.settings().ok()) return context.settings().error();
  return RemoteCall(remote, context).run(operation, invocation);
}

base::Result<std::string> work_key(const config::Settings& settings,
                                   const storage::DatabaseUrl& database, const Context& context) {
  CLEVER_ASSIGN(const std::string work, work_digest(settings, context));
  return base::sha256(work + "\n" + database.normalised()).to_hex();
}

HandOver hand_over(const CommandPath& operation, const Invocation& invocation, Context& context) {
  const std::filesystem::path socket = context.home() / "server.sock";
  const bool may = joined({operation.begin() + 1, operation.end()}) == "run";
  if (!may || invocation.flag("detach") || io::file_kind(socket) != io::FileKind::kOther) return {};
  const Remote remote{
      .address = std::string(kUnix) + socket.string(),
      .token = token_for(context.home(), std::string(kUnix) + socket.string()).value_or("")};
  const auto database = database_url(invocation, context);
  // What is wrong there is said by the command itself.
  if (remote.token.empty() || !context.settings().ok() || !database.ok()) return {};
  const auto work = work_key(*context.settings(), *database, context);
  if (!work.ok()) return {};
  context.redactor().add(remote.token);
  RemoteCall call(remote, context);
  auto report = call.run(operation, invocation, *work);
  if (call.refusal().empty()) return {.report = std::move(report)};
  if (call.refusal() == kNoServer) return {};
  return {.why = call.refusal() == kOtherWork
                     ? std::string("other settings, keys or another database")
                     : report.error().sentence()};
}

}  // namespace clever::service
