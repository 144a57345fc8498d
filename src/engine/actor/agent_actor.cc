#include "engine/actor/agent_actor.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "confine/show_program.h"
#include "engine/actor/internal/agent_talk.h"
#include "engine/agents/agent_command.h"
#include "engine/agents/agent_failure.h"
#include "engine/agents/login_copies.h"
#include "io/file.h"
#include "io/sse.h"
#include "sandbox/layer_copy.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

// A word of a command line has at most 128 KiB.
constexpr std::size_t kLongestWord = std::size_t{120} << 10U;
constexpr std::size_t kLongestSummary = 4000;
// In ticks of one second.
constexpr int kMostTicksWithoutNetwork = 30;
constexpr std::size_t kLongestLine = std::size_t{32} << 20U;
// How long an agent may take to end its turn once a call waits for a person; of a second each.
constexpr int kMostTicksHeld = 3;
constexpr std::string_view kBegunBefore =
    "\n\nYou began this before, and what you had changed is still there: look at the files first.";

void tell(const AgentWatch& watch, const std::string& text, bool reasoning) {
  if (watch.on_text) watch.on_text(text, reasoning);
}

/// Talks to a program that gets its task at the start; its stream reports what it does.
class StreamTalk final : public internal::AgentTalk {
 public:
  StreamTalk(std::string task, AgentStream& stream, std::function<bool()> has_ended)
      : task_(std::move(task)), stream_(stream), has_ended_(std::move(has_ended)) {}

  std::string take_output() override { return std::exchange(task_, {}); }
  bool is_silent() const override { return task_.empty(); }
  bool has_ended() const override { return has_ended_(); }
  base::Result<void> on_output(std::string_view bytes) override { return stream_.on_output(bytes); }
  bool on_stop() override { return false; }

 private:
  std::string task_;
  AgentStream& stream_;
  const std::function<bool()> has_ended_;
};

/// Passes on an agent's updates, and judges its calls by the plan's rules.
class WatchingHost final : public AcpHost {
 public:
  WatchingHost(const AgentWatch& watch, std::function<void(const std::string&)> on_session)
      : watch_(watch), on_session_(std::move(on_session)) {}

  AcpVerdict judge(const AcpAsk& ask) override {
    return watch_.judge ? watch_.judge(ask) : AcpVerdict{};
  }
  void on_refused(const AcpAsk& ask, const std::string& why) override {
    ++refused_;
    if (watch_.on_refused) watch_.on_refused(ask, why);
  }
  void on_text(const std::string& text, bool reasoning) override { tell(watch_, text, reasoning); }
  void on_tool(const AgentTool& tool) override {
    if (watch_.on_tool) watch_.on_tool(tool);
  }
  void on_tool_end(const AgentToolEnd& end) override {
    if (watch_.on_tool_end) watch_.on_tool_end(end);
  }
  void on_session(const std::string& id) override { on_session_(id); }

  [[nodiscard]] std::int64_t refused() const { return refused_; }

 private:
  const AgentWatch& watch_;
  const std::function<void(const std::string&)> on_session_;
  std::int64_t refused_ = 0;
};

class AcpTalk final : public internal::AgentTalk {
 public:
  AcpTalk(AcpSession& session, std::function<bool()> is_through)
      : session_(session), is_through_(std::move(is_through)), lines_(kLongestLine) {}

  std::string take_output() override { return session_.take_output(); }
  bool is_silent() const override { return session_.has_ended(); }
  bool has_ended() const override { return session_.has_ended() || is_through_(); }
  base::Result<void> on_output(std::string_view bytes) override {
    base::Result<void> heard;
    const bool fits = lines_.feed(bytes, [&](std::string_view line) {
      if (heard.ok() && !line.empty() && !session_.has_ended()) heard = session_.on_line(line);
    });
    CLEVER_TRY(std::move(heard));
    if (fits) return {};
    return base::resource_exhausted(
        "the agent sent a message of more than 32 MiB and was stopped: give it a smaller task");
  }
  bool on_stop() override {
    session_.cancel();
    return session_.awaited() == "session/prompt";
  }
  std::string waits_for() const override {
    if (session_.has_ended()) return {};
    return " (it had not answered " + std::string(session_.awaited()) + ")";
  }

 private:
  AcpSession& session_;
  const std::function<bool()> is_through_;
  io::LineSplitter lines_;
};

std::string summary_of(const std::string& said, const sandbox::Workspace::Captured& captured) {
  const std::size_t count = captured.changes.size();
  std::string text = "changed " + std::to_string(count) + (count == 1 ? " file" : " files");
  const std::string words = base::to_valid_utf8(said);
  if (!words.empty()) text += "\n" + tool::cut_middle(words, kLongestSummary);
  return text;
}

// The name that people know: "claude".
std::string program_name_of(const AgentProgram& program) {
  return std::filesystem::path(program.command.front()).filename().string();
}

// "https://example.org:8443/mcp" → "example.org:8443".
std::string host_in(const std::string& url) {
  const std::size_t scheme = url.find("://");
  const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  const std::string host = url.substr(begin, url.find_first_of("/?#", begin) - begin);
  return host.substr(host.find('@') == std::string::npos ? 0 : host.find('@') + 1);
}

// These formats mark the end of the run; the program may linger after it.
bool says_its_end(AgentStreamFormat format) {
  return format == AgentStreamFormat::kClaude || format == AgentStreamFormat::kCodex ||
         format == AgentStreamFormat::kGemini;
}

/// One run of an agent.
class AgentRun {
 public:
  AgentRun(const AgentRunner::Options& options, const AgentOrder& order,
           sandbox::Workspace& workspace, const AgentWatch& watch, const base::StopToken& stop)
      : options_(options),
        order_(order),
        program_(order.actor.program),
        workspace_(workspace),
        watch_(watch),
        stop_(stop) {}

  base::Result<AgentResult> run() {
    CLEVER_TRY(prepare_home());
    CLEVER_ASSIGN(tool::WorkspaceCommand command, workspace_command());
    command.run = [this](const confine::Command& confined, std::string_view input, std::size_t,
                         const base::StopToken& asked, base::Deadline deadline) {
      return talk(confined, std::string(input), asked, deadline);
    };
    auto report = options_.commands->run(workspace_, command, stop_, base::Deadline::never());
    if (logins_) {
      for (const std::string& sentence : logins_->end()) tell_login(sentence);
    }
    tell_usage();
    if (!report.ok()) return report.error();
    return outcome(*report);
  }

 private:
  base::Result<void> prepare_home() {
    const AgentPlace& place = order_.place;
    if (place.folder.empty()) return {};
    CLEVER_ASSIGN(AgentHome opened, AgentHome::open(place.folder, place.epoch, stop_));
    home_.emplace(std::move(opened));
    session_ = home_->session();
    before_ = session_;
    logins_.emplace(LoginCopies::Options{.clock = options_.clock,
                                         .home = options_.world.home,
                                         .agent_home = home_->path(),
                                         .locks = place.locks,
                                         .learn = watch_.on_secret},
                    program_.logins);
    CLEVER_TRY(logins_->begin());
    CLEVER_TRY(home_->write_settings(program_, logins_->any()));
    resumes_ = !session_.id.empty() && (can_resume(program_) || program_.speaks_acp);
    if (!resumes_) session_.id.clear();
    if (session_.id.empty() && !program_.session_words.empty() && !program_.speaks_acp) {
      const auto now = options_.clock.wall_now().time_since_epoch().count();
      session_.id = session_id_for(home_->path().string() + std::to_string(now));
    }
    return {};
  }

  // The prompt of this run.
  [[nodiscard]] std::string words() const {
    return resumes_ && order_.place.follow_up ? order_.place.follow_up(session_) : order_.task;
  }

  base::Result<tool::WorkspaceCommand> workspace_command() {
    AgentWords given{.values = order_.arguments,
                     .model = order_.model,
                     .session = session_.id,
                     .resumes = resumes_};
    given.values["task"] = words();
    tool::WorkspaceCommand command{.argv = agent_command(program_, given),
                                   .timeout = std::chrono::seconds(program_.timeout_s),
                                   .chosen_by_person = true};
    for (const std::string& word : command.argv) {
      if (word.size() <= kLongestWord) continue;
      return base::invalid_argument(
          "the task is too long for a command line: if the agent of the actor " +
          order_.actor.name +
          " can read it from standard input, write prompt: stdin in the actor's file");
    }
    if (program_.reads_task) command.standard_input = given.values["task"];
    if (home_) command.home = home_->path();
    add_network(command);
    add_environment(command);
    CLEVER_TRY(add_folders(command));
    return command;
  }

  void add_network(tool::WorkspaceCommand& command) const {
    if (program_.network) command.network = confine::Network::kOn;
    if (program_.network) return;
    command.hosts = program_.hosts;
    for (const McpServer& server : order_.servers) {
      if (program_.speaks_acp && !server.url.empty()) command.hosts.push_back(host_in(server.url));
    }
    if (!command.hosts.empty()) command.network = confine::Network::kHosts;
  }

  void add_environment(tool::WorkspaceCommand& command) const {
    for (const auto& [name, value] : agent_variables(program_, options_.world.environment)) {
      command.environment.push_back(name + "=" + value);
    }
  }

  // Folders below the home are copied into the agent's home; others are visible at their own path.
  base::Result<void> add_folders(tool::WorkspaceCommand& command) const {
    for (const std::string& text : program_.folders) {
      const bool of_home = text.starts_with("~/");
      const std::filesystem::path folder =
          of_home ? options_.world.home / text.substr(2) : std::filesystem::path(text);
      if (io::file_kind(folder) == io::FileKind::kMissing) {
        return base::not_found("the actor " + order_.actor.name + " allows its agent the folder " +
                               text +
                               ", which does not exist: create it, or remove it from folders");
      }
      const std::string below = folder.lexically_relative(options_.world.home).string();
      if (home_ && !below.empty() && !below.starts_with("..")) {
        CLEVER_TRY(home_->copy_in(folder, below, stop_));
      } else {
        command.mounts.push_back(
            {.kind = confine::Mount::Kind::kReadOnly, .target = folder, .source = folder});
      }
    }
    return {};
  }

  base::Result<confine::Output> talk(const confine::Command& confined, const std::string& input,
                                     const base::StopToken& asked, base::Deadline deadline) {
    CLEVER_TRY(begin_session(confined));
    const internal::AgentTalkOptions talking{
        .launcher = options_.launcher,
        .clock = options_.clock,
        .grace = options_.grace,
        .on_tick = [this](const std::string& errors) { tick(errors); },
        .on_silence = [this] { say_silence(); },
        .silence = options_.silence};
    if (program_.speaks_acp) return talk_over_acp(talking, confined, asked, deadline);
    const AgentListener listener{
        .on_text = watch_.on_text, .on_tool = watch_.on_tool, .on_tool_end = watch_.on_tool_end};
    const auto stream = AgentStream::make(program_.stream, listener);
    live_ = &stream->report();
    StreamTalk talk(input, *stream, [this] { return is_through(); });
    auto output = internal::talk_with(talking, confined, talk, asked, deadline);
    stream->finish();
    report_ = stream->report();
    if (is_stuck_ && report_.error.empty()) report_.error = stuck_words_;
    live_ = nullptr;
    keep_session_id(report_.session);
    remember_usage();
    // The run ended as asked, whatever the exit code after the last message.
    const bool was_ended = cut_ || (says_its_end(program_.stream) && report_.ended);
    if (output.ok() && (was_ended || is_stuck_)) output->ending = {};
    return output;
  }

  base::Result<confine::Output> talk_over_acp(const internal::AgentTalkOptions& talking,
                                              confine::Command confined,
                                              const base::StopToken& asked,
                                              base::Deadline deadline) {
    for (const McpServer& server : order_.servers) confine::show_program(confined, server.argv);
    WatchingHost host(watch_, [this](const std::string& id) { keep_session_id(id); });
    AcpOrder order{.folder = confined.working_directory.string(),
                   .task = order_.task,
                   .model = order_.model,
                   .mode = program_.acp_mode,
                   .servers = order_.servers};
    if (resumes_) {
      order.session = before_.id;
      order.task += kBegunBefore;
      order.follow_up =
          order_.place.follow_up ? order_.place.follow_up(before_) : std::string(order_.task);
    }
    AcpSession session(host, std::move(order));
    live_ = &session.report();
    held_ = &session.held();
    AcpTalk talk(session, [this] { return is_through(); });
    auto output = internal::talk_with(talking, confined, talk, asked, deadline);
    live_ = nullptr;
    held_ = nullptr;
    report_ = session.report();
    report_.failed_tools = std::max<std::int64_t>(report_.failed_tools - host.refused(), 0);
    waiting_ = session.held();
    if (!output.ok()) return output;
    if (is_stuck_) return base::unavailable("the agent failed: " + stuck_words_);
    const bool is_over = session.has_ended() || cut_ || !waiting_.empty();
    if (!is_over) {
      return base::unavailable("the agent ended (exit code " +
                               std::to_string(output->ending.exit_code) + ") before it answered " +
                               std::string(session.awaited()));
    }
    // The agent answered, so the run succeeded, whatever its exit code.
    output->ending = {};
    report_.ended = true;
    return output;
  }

  // The layer of its changes is known now: an interrupted run continues there.
  base::Result<void> begin_session(const confine::Command& confined) {
    if (!home_) return {};
    std::filesystem::path layer;
    for (const confine::Mount& mount : confined.mounts) {
      if (mount.target != confined.working_directory) continue;
      layer = mount.kind == confine::Mount::Kind::kOverlay ? mount.upper : mount.source;
    }
    const bool was_cut_off = session_.tree.empty() && !session_.layer.empty() &&
                             session_.base == order_.place.tree &&
                             session_.step == order_.place.step && session_.layer != layer;
    if (was_cut_off && resumes_ && !layer.empty() &&
        io::file_kind(session_.layer) == io::FileKind::kDirectory) {
      CLEVER_TRY(sandbox::copy_layer(session_.layer, layer, stop_)
                     .context("taking over what the agent had changed"));
    }
    session_.step = order_.place.step;
    session_.base = order_.place.tree;
    session_.tree.clear();
    session_.layer = layer.string();
    session_.prompts = order_.place.prompts;
    session_.answers = order_.place.answers;
    return home_->save(session_);
  }

  void keep_session_id(const std::string& id) {
    if (!home_ || id.empty() || id == session_.id) return;
    session_.id = id;
    // If it cannot be saved, the next run starts a new session.
    (void)home_->save(session_);
  }

  void remember_usage() {
    if (!home_ || report_.usage == AgentUsage{}) return;
    session_.input_tokens = report_.usage.input_tokens;
    session_.output_tokens = report_.usage.output_tokens;
    (void)home_->save(session_);
  }

  [[nodiscard]] bool is_through() const {
    if (cut_ || is_stuck_ || ticks_held_ > kMostTicksHeld) return true;
    return live_ != nullptr && !program_.speaks_acp && says_its_end(program_.stream) &&
           live_->ended;
  }

  void tick(const std::string& errors) {
    if (logins_) {
      for (const std::string& sentence : logins_->keep_in_step()) tell_login(sentence);
    }
    if (live_ != nullptr) {
      report_ = *live_;
      keep_session_id(report_.session);
      tell_usage();
    }
    if (held_ != nullptr && !held_->empty()) ++ticks_held_;
    if (watch_.on_tick) watch_.on_tick();
    look_for_network(errors);
    if (watch_.may_go_on && !watch_.may_go_on()) cut_ = true;
  }

  // Some agents wait for a network forever, and some for many minutes.
  void look_for_network(const std::string& errors) {
    std::string why = report_.error;
    if (why.empty() && report_.said.empty()) why = repeated_network_error(errors);
    const bool waits = report_.usage == AgentUsage{} && report_.tools == 0 &&
                       trouble_of(why) == AgentTrouble::kNoNetwork;
    if (waits) stuck_words_ = std::move(why);
    ticks_without_network_ = waits ? ticks_without_network_ + 1 : 0;
    is_stuck_ = is_stuck_ || ticks_without_network_ >= kMostTicksWithoutNetwork;
  }

  [[nodiscard]] AgentUsage own_usage() const {
    AgentUsage usage = report_.usage;
    const bool counts_session = !program_.speaks_acp && counts_whole_session(program_.stream);
    if (!resumes_ || !counts_session) return usage;
    usage.input_tokens = std::max<std::int64_t>(usage.input_tokens - before_.input_tokens, 0);
    usage.output_tokens = std::max<std::int64_t>(usage.output_tokens - before_.output_tokens, 0);
    usage.cache_read = std::min(usage.cache_read, usage.input_tokens);
    usage.cache_write = std::min(usage.cache_write, usage.input_tokens - usage.cache_read);
    return usage;
  }

  void tell_usage() {
    const AgentUsage usage = own_usage();
    if (usage == reported_usage_) return;
    reported_usage_ = usage;
    if (watch_.on_usage) watch_.on_usage(reported_usage_, report_.model);
  }
  void tell_login(const std::string& sentence) const {
    if (watch_.on_login) watch_.on_login(sentence);
  }
  void say_silence() const {
    if (!watch_.on_silence) return;
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(options_.silence);
    watch_.on_silence(program_name_of(program_) + " has written nothing for " +
                      std::to_string(minutes.count()) +
                      " minutes; it may be waiting for its model");
  }

  base::Result<AgentResult> outcome(const tool::CommandReport& report) {
    if (report.failure && waiting_.empty()) return with_cure(*report.failure);
    const AgentEnd end{.name = program_name_of(program_),
                       .output = report.output.value_or(confine::Output{}),
                       .report = report_,
                       .changed_files = report.captured.changes.size()};
    if (cut_ || !waiting_.empty()) return result(report.captured);
    if (auto failure = failure_of(program_, end)) {
      forget_lost_session(end);
      return *std::move(failure);
    }
    return result(report.captured);
  }

  [[nodiscard]] base::Error with_cure(const base::Error& error) const {
    if (program_.speaks_acp && error.code() == base::ErrorCode::kUnavailable) {
      const AgentTrouble trouble = trouble_of(error.message());
      const std::string cure = cure_of(program_, program_name_of(program_), trouble);
      if (!cure.empty()) return base::permission_denied(error.message() + "\n" + cure);
    }
    if (error.code() != base::ErrorCode::kNotFound || program_.install.empty()) return error;
    return {error.code(), error.message() + "; if it is not installed: " + program_.install};
  }

  // If the agent no longer knows the session, the next run starts a new one.
  void forget_lost_session(const AgentEnd& end) {
    const bool did_nothing =
        end.report.usage == AgentUsage{} && end.report.tools == 0 && end.changed_files == 0;
    if (!home_ || !resumes_ || !did_nothing) return;
    session_.id.clear();
    (void)home_->save(session_);
  }

  base::Result<AgentResult> result(const sandbox::Workspace::Captured& captured) {
    if (home_) {
      CLEVER_ASSIGN(const git::ObjectId tree, workspace_.tree());
      session_.tree = tree.to_hex();
      session_.layer.clear();
      CLEVER_TRY(home_->save(session_));
    }
    return AgentResult{.summary = summary_of(report_.said, captured),
                       .files = static_cast<std::int64_t>(captured.changes.size()),
                       .cut = cut_,
                       .waiting = waiting_};
  }

  const AgentRunner::Options& options_;
  const AgentOrder& order_;
  const AgentProgram& program_;
  sandbox::Workspace& workspace_;
  const AgentWatch& watch_;
  const base::StopToken& stop_;
  std::optional<LoginCopies> logins_{};
  std::optional<AgentHome> home_{};
  AgentSession session_{};
  /// The session before this run.
  AgentSession before_{};
  bool resumes_ = false;
  bool cut_ = false;
  bool is_stuck_ = false;
  std::string stuck_words_{};
  int ticks_without_network_ = 0;
  int ticks_held_ = 0;
  std::vector<AcpHeld> waiting_{};
  AgentReport report_{};
  AgentUsage reported_usage_{};
  // Set while the agent runs.
  const AgentReport* live_ = nullptr;
  const std::vector<AcpHeld>* held_ = nullptr;
};

}  // namespace

base::Result<AgentResult> AgentRunner::work(const AgentOrder& order, sandbox::Workspace& workspace,
                                            const AgentWatch& watch,
                                            const base::StopToken& stop) const {
  if (options_.commands == nullptr) {
    return base::unavailable("the actor " + order.actor.name +
                             " runs a program, but programs cannot run here");
  }
  return AgentRun(options_, order, workspace, watch, stop).run();
}

bool is_subscription(const AgentProgram& program, const confine::WorldOptions& world) {
  const auto variables = agent_variables(program, world.environment);
  // A subscription's token is not an API key.
  const bool has_key = std::ranges::any_of(variables, [](const auto& variable) {
    return names_key(variable.first) && !variable.first.contains("OAUTH");
  });
  if (has_key) return false;
  return std::ranges::any_of(program.logins, [&](const AgentLogin& login) {
    return !login.renewed.empty() && has_renewable_login(world.home, login);
  });
}

}  // namespace clever::engine
