#include "cli/program.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/redact.h"
#include "cli/command_log.h"
#include "cli/diff/shown_changes.h"
#include "cli/envelope.h"
#include "cli/help.h"
#include "cli/live/live_progress.h"
#include "cli/look.h"
#include "cli/parse.h"
#include "cli/progress_line.h"
#include "cli/render.h"
#include "cli/theme.h"
#include "cli/words.h"
#include "io/file.h"
#include "model/document_json.h"
#include "model/document_yaml.h"
#include "service/caller.h"
#include "service/format.h"
#include "service/interrupted_apply.h"
#include "service/retention.h"
#include "service/text.h"
#include "service/wire/remote.h"
#include "service/wire/wire_request.h"

namespace clever::cli {
namespace {

constexpr std::size_t kWidestText = 100;

Tone tone_of_level(Message::Level level) noexcept {
  if (level == Message::Level::kError) return Tone::kBad;
  return level == Message::Level::kWarning ? Tone::kWarn : Tone::kAccent;
}

/// Runs one command line, from its words to its exit code.
class Run {
 public:
  Run(const Command& root, const std::vector<std::string>& arguments,
      const Surroundings& surroundings, const Console& console)
      : arguments_(arguments),
        surroundings_(surroundings),
        console_(console),
        redactor_(redactor_for(surroundings.environment)),
        parsed_(parse(root, arguments)),
        progress_line_(console.error_output, *surroundings.clock, console.width),
        context_(
            surroundings, directory(), flags(), std::min(console.width, kWidestText),
            [this] { return progress(); }, [this] { return screen(); }, *redactor_) {}

  ExitCode execute() {
    const Timing started{surroundings_.clock->wall_now(), {}};
    const base::TimePoint begin = surroundings_.clock->now();
    Report report = answer();
    progress_line_.clear();
    const Format format = chosen_format(report);
    const base::Duration duration = surroundings_.clock->now() - begin;
    for (Message& message : report.messages) message.text = redactor_->redact(message.text);
    if (!is_for_programs(format)) {
      report.view = with_changes_shown(std::move(report.view), screen().output_look, context_);
    }
    record(report, duration);
    const ExitCode code = show(report, format, {started.started, duration});
    if (!parsed_.error && !asks_for_help() && !is_remote()) {
      service::retain_after(invocation(), context_);
    }
    return code;
  }

 private:
  const Invocation& invocation() const { return parsed_.invocation; }

  std::filesystem::path directory() const {
    return surroundings_.working_directory / invocation().value("directory").value_or("");
  }

  std::vector<std::pair<std::string, std::string>> flags() const {
    std::vector<std::pair<std::string, std::string>> flags;
    using Flag = std::pair<std::string_view, std::string_view>;
    for (const auto& [option, key] :
         {Flag{"format", "output.format"}, Flag{"color", "output.color"},
          Flag{"database", "database.url"}, Flag{"script", "provider.script"}}) {
      if (const auto value = invocation().value(option)) flags.emplace_back(key, setting(*value));
    }
    return flags;
  }

  // Only a command line chooses lines of events, never a setting.
  static std::string_view setting(std::string_view value) {
    return value == to_string(Format::kJsonl) ? to_string(Format::kJson) : value;
  }

  Screen screen() {
    Report unused;
    const Format format = chosen_format(unused);
    return {
        .format = format,
        .quiet = invocation().flag("quiet"),
        .output_is_terminal = console_.output_is_terminal,
        .error_is_terminal = console_.error_is_terminal,
        .width = console_.width,
        .size = console_.size,
        .output_look = output_look(),
        .error_look = error_look(),
        .output = console_.output,
        .error_output = console_.error_output,
        .say = [this](const View& view) { return say_view(view); },
        .prompt =
            [this](const Line& line) { return console_.error_output(painted(line, error_look())); },
        .live = [this](const service::LiveOptions& options) { return live_progress(options); },
        .read_line = is_for_programs(format) ? Screen::ReadLine() : console_.read_line,
        .read_key = is_for_programs(format) ? Screen::ReadLine() : console_.read_key,
        .foreground = is_for_programs(format) ? Screen::Foreground() : console_.foreground,
        .open_terminal =
            can_open_terminal(format) ? console_.open_terminal : Screen::OpenTerminal()};
  }

  bool can_open_terminal(Format format) const {
    return !is_for_programs(format) && context_.environment().value("TERM") != "dumb";
  }

  base::Result<void> say_view(const View& view) {
    const Screen on = screen();
    const View shown = with_changes_shown(view, on.error_look, context_);
    return console_.error_output(on.format == Format::kRich ? render_rich(shown, on.error_look)
                                                            : render_plain(shown));
  }

  std::unique_ptr<service::LiveDisplay> live_progress(const service::LiveOptions& options) {
    Screen on = screen();
    if (options.on_output && !on.output_is_terminal) {
      on.error_is_terminal = false;
      on.error_output = on.output;
    }
    return std::make_unique<LiveProgress>(std::move(on), *surroundings_.clock, options);
  }

  // Decided before the work begins: only at a terminal, and not for programs.
  service::Progress progress() {
    Report unused;
    const bool shown = console_.error_is_terminal && !invocation().flag("quiet") &&
                       !is_for_programs(chosen_format(unused));
    if (!shown) return [](std::string_view, std::uint64_t, std::uint64_t) {};
    return [this](std::string_view doing, std::uint64_t done, std::uint64_t all) {
      progress_line_.show(doing, done, all);
    };
  }

  Report answer() {
    Report report = attempt();
    if (report.exit_code == ExitCode::kUsage) {
      report.messages.push_back({Message::Level::kUsage, usage_line(invocation().path())});
    }
    return report;
  }

  Report attempt() {
    if (const auto& error = parsed_.error) {
      return failed(base::invalid_argument(error->message), error->hint);
    }
    if (asks_for_help()) return help();
    const std::string ended = is_remote() ? std::string() : end_interrupted();
    auto handled = handle();
    Report report = handled.ok() ? std::move(handled).value() : failed(handled.error());
    if (!ended.empty()) report.warn(ended);
    return report;
  }

  // The result, or why there is none; empty if there was nothing to do.
  std::string end_interrupted() {
    if (handled_command().raw || invocation().flag("version")) return {};
    const auto ended = service::end_interrupted_apply(context_);
    return ended.ok() ? *ended : ended.error().sentence();
  }

  base::Result<Report> handle() {
    if (invocation().flag("directory") &&
        io::file_kind(context_.directory()) != io::FileKind::kDirectory) {
      return base::not_found("no such directory: " + in_quotes(context_.directory().native()));
    }
    if (is_remote()) return call_server();
    if (names_project_alone()) {
      return base::invalid_argument(
          "--project names a project of a server: --server URL names one");
    }
    auto handed = service::hand_over(handled_path(), invocation(), context_);
    if (handed.report) return *std::move(handed.report);
    auto done =
        service::call(handled_path(), invocation(), service::command_line_caller(), context_);
    if (!handed.why.empty() && done.ok()) {
      done->messages.push_back(
          {Message::Level::kNote, "the server of this home works in another way (" + handed.why +
                                      "): this process did the work"});
    }
    return done;
  }

  // Whether a server does it.
  bool is_remote() const {
    const CommandPath path = handled_path();
    if (handled_command().raw ||
        service::is_about_this_program(joined({path.begin() + 1, path.end()}))) {
      return false;
    }
    return service::names_server(invocation(), context_);
  }

  base::Result<Report> call_server() {
    const auto remote = service::remote_of(invocation(), context_);
    if (!remote.ok()) return remote.error();
    return service::call_remote(*remote, handled_path(), invocation(), context_);
  }

  // The root's option of this name, not a command's own.
  bool names_project_alone() const {
    const auto& own = invocation().command().options;
    return invocation().flag("project") &&
           std::ranges::find(own, "project", &Option::name) == own.end();
  }

  // --version runs the command of that name; no command at all starts a conversation.
  const Command& handled_command() const {
    if (opens_session()) return *find_subcommand(invocation().root(), "session");
    if (!invocation().flag("version")) return invocation().command();
    return *find_subcommand(invocation().root(), "version");
  }

  CommandPath handled_path() const {
    const Command& handled = handled_command();
    if (&handled == &invocation().command()) return invocation().path();
    return {&invocation().root(), &handled};
  }

  bool asks_for_help() const {
    if (invocation().flag("version") || opens_session()) return false;
    return invocation().flag("help") || invocation().command().handler == nullptr;
  }

  // True for `agents` alone at a terminal; --continue always starts the conversation.
  bool opens_session() const {
    if (invocation().path().size() > 1 || invocation().flag("help")) return false;
    if (invocation().flag("version") || parsed_.error) return false;
    const auto format = format_from_string(invocation().value("format").value_or(""));
    const bool can = console_.open_terminal && !(format && is_for_programs(*format));
    return can || invocation().flag("continue");
  }

  // Writes the log if the settings ask for one. Help and completion read no settings.
  void record(Report& report, base::Duration duration) {
    const bool reads_settings = parsed_.error || !(asks_for_help() || handled_command().raw);
    if (!reads_settings || !context_.settings().ok()) return;
    const auto logged = log_command(*context_.settings(), *surroundings_.clock, redactor_,
                                    command_name(), report, duration);
    if (!logged.ok()) report.warn(logged.error().sentence());
  }

  // Learns the values of keys in the environment, so that no message or log line shows one.
  static std::shared_ptr<base::Redactor> redactor_for(const io::Environment& environment) {
    auto redactor = std::make_shared<base::Redactor>();
    for (const auto& [name, value] : environment.entries()) {
      if (base::names_secret(name)) redactor->add(value);
    }
    return redactor;
  }

  Report help() const {
    Report report;
    report.data = help_data(invocation().path());
    report.view = {help_text(invocation().path(), context_.width())};
    return report;
  }

  Format chosen_format(Report& report) {
    const auto flag =
        parsed_.error ? requested_value("format", arguments_) : invocation().value("format");
    if (const auto format = format_from_string(flag.value_or(""))) {
      if (!is_for_programs(*format)) read_colors();
      return *format;
    }
    const Format otherwise = console_.output_is_terminal ? Format::kRich : Format::kPlain;
    if (asks_for_help() || handled_command().raw) return otherwise;
    return configured_format(report).value_or(otherwise);
  }

  std::optional<Format> configured_format(Report& report) {
    const auto& settings = context_.settings();
    if (!settings.ok()) {
      if (report.status != Status::kError) {
        report.warn("settings are ignored: " + settings.error().sentence());
      }
      return format_from_string(
          context_.environment().value(config::environment_name("output.format")).value_or(""));
    }
    for (const std::string& warning : settings->warnings()) report.warn(warning);
    read_colors();
    const auto format = format_from_string(settings->text("output.format"));
    // The setting's default is rich, which means plain in a pipe; only --format forces rich.
    return format == Format::kRich ? std::nullopt : format;
  }

  void read_colors() {
    if (parsed_.error || asks_for_help() || handled_command().raw) return;
    const auto& settings = context_.settings();
    if (!settings.ok()) return;
    color_ = settings->text("output.color");
    theme_ = theme_from_string(settings->text("output.theme"));
  }

  ExitCode show(const Report& report, Format format, const Timing& timing) const {
    const bool quiet = invocation().flag("quiet");
    const auto written = console_.output(rendered(report, format, timing));
    if (!is_for_programs(format)) say(report.messages, quiet);
    if (written.ok()) return report.exit_code;
    // The reader closed the pipe.
    if (written.error().code() == base::ErrorCode::kUnavailable) return report.exit_code;
    say({{Message::Level::kError, written.error().sentence()}}, quiet);
    return ExitCode::kError;
  }

  Look error_look() const {
    return {.color = color(console_.error_is_terminal),
            .unicode = writes_utf8(surroundings_.environment),
            .width = console_.width,
            .theme = theme_};
  }

  Look output_look() const {
    return {.color = color(console_.output_is_terminal),
            .unicode = writes_utf8(surroundings_.environment),
            .width = console_.output_is_terminal ? console_.width : 0,
            .theme = theme_};
  }

  std::string rendered(const Report& report, Format format, const Timing& timing) const {
    const Look look = output_look();
    switch (format) {
      case Format::kRich:
        return render_rich(report.view, look);
      case Format::kTable:
        return render_table(report.view, look);
      case Format::kJson:
      case Format::kJsonl:
        return to_json(envelope(command_name(), report, timing)) + "\n";
      case Format::kYaml:
        return to_yaml(envelope(command_name(), report, timing));
      case Format::kPlain:
        break;
    }
    return render_plain(report.view);
  }

  // "config set"; the program's own name if no command was parsed.
  std::string command_name() const {
    const CommandPath& path = invocation().path();
    if (invocation().flag("version")) return "version";
    if (opens_session()) return "session";
    return path.size() == 1 ? joined(path) : joined({path.begin() + 1, path.end()});
  }

  // If standard error takes no text, only the exit code can tell.
  void say(const std::vector<Message>& messages, bool quiet) const {
    const Look look{.color = color(console_.error_is_terminal), .theme = theme_};
    std::string text;
    for (const Message& message : messages) {
      if (message.said || (quiet && message.level != Message::Level::kError)) continue;
      text +=
          painted(std::string(to_string(message.level)) + ":", tone_of_level(message.level), look);
      text += " " + printable(message.text) + "\n";
    }
    if (!text.empty()) static_cast<void>(console_.error_output(text));
  }

  bool color(bool is_terminal) const {
    return wants_color(invocation().value("color").value_or(color_), is_terminal,
                       surroundings_.environment);
  }

  const std::vector<std::string>& arguments_;
  const Surroundings& surroundings_;
  const Console& console_;
  const std::shared_ptr<base::Redactor> redactor_;
  const Parsed parsed_;
  ProgressLine progress_line_;
  Context context_;
  std::string color_ = "auto";
  Theme theme_ = Theme::kDefault;
};

}  // namespace

ExitCode run(const Command& root, const std::vector<std::string>& arguments,
             const Surroundings& surroundings, const Console& console) {
  return Run(root, arguments, surroundings, console).execute();
}

}  // namespace clever::cli
