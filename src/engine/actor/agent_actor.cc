#include "engine/actor/agent_actor.h"

#include <algorithm>
#include <filesystem>

#include "base/utf8.h"
#include "engine/actor/internal/agent_talk.h"
#include "engine/actor/internal/variables.h"
#include "git/tree_path.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/sse.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::size_t kMostOfOutput = 2000;
// A word of a command line has at most 128 KiB.
constexpr std::size_t kLongestWord = std::size_t{120} << 10U;
constexpr std::size_t kLongestSummary = 4000;
constexpr std::size_t kLongestLine = std::size_t{32} << 20U;
constexpr std::size_t kLargestAgentFile = std::size_t{64} << 20U;

void tell(const AgentWatch& watch, const std::string& text, bool reasoning) {
  if (watch.on_text) watch.on_text(text, reasoning);
}

/// A program that is given its task and left alone; what it writes is shown.
class PlainTalk final : public internal::AgentTalk {
 public:
  PlainTalk(std::string task, const AgentWatch& watch) : task_(std::move(task)), watch_(watch) {}

  std::string take_output() override { return std::exchange(task_, {}); }
  bool is_silent() const override { return task_.empty(); }
  bool has_ended() const override { return false; }
  base::Result<void> on_output(std::string_view bytes) override {
    held_ += bytes;
    const std::size_t whole = whole_characters();
    tell(watch_, base::to_valid_utf8(std::string_view(held_).substr(0, whole)), false);
    held_.erase(0, whole);
    return {};
  }
  bool on_stop() override { return false; }

 private:
  // A character may come in two pieces.
  [[nodiscard]] std::size_t whole_characters() const {
    std::size_t end = held_.size();
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, end); ++back) {
      const auto byte = static_cast<unsigned char>(held_[end - back]);
      if ((byte & 0xC0U) == 0x80U) continue;
      const std::size_t needed = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
      return needed > back ? end - back : end;
    }
    return end;
  }

  std::string task_;
  const AgentWatch& watch_;
  std::string held_{};
};

/// Serves files of a folder to an agent, and its questions by the plan's rules.
class FolderHost final : public AcpHost {
 public:
  FolderHost(io::Directory folder, const AgentWatch& watch)
      : folder_(std::move(folder)), watch_(watch) {}

  base::Result<std::string> read(const std::string& path) override {
    return folder_.read_file(path, kLargestAgentFile);
  }

  base::Result<void> write(const std::string& path, std::string_view content) override {
    CLEVER_TRY(git::TreePath::parse(path));
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos) {
      CLEVER_TRY(folder_.make_directories(path.substr(0, slash), 0755));
    }
    mode_t mode = 0644;
    const auto facts = folder_.facts(path);
    if (facts.ok()) {
      if (facts->kind != io::EntryFacts::Kind::kFile) {
        return base::permission_denied(path + " is no file; only files are written");
      }
      mode = facts->mode;
      CLEVER_TRY(folder_.remove_file(path));
    }
    return folder_.create_file(path, content, mode);
  }

  bool allows(const AcpAsk& ask) override { return !watch_.allows || watch_.allows(ask); }
  void on_text(const std::string& text, bool reasoning) override { tell(watch_, text, reasoning); }
  void on_tool(const std::string& title) override {
    if (watch_.on_tool) watch_.on_tool(title);
  }

 private:
  const io::Directory folder_;
  const AgentWatch& watch_;
};

class AcpTalk final : public internal::AgentTalk {
 public:
  explicit AcpTalk(AcpSession& session) : session_(session), lines_(kLongestLine) {}

  std::string take_output() override { return session_.take_output(); }
  bool is_silent() const override { return session_.has_ended(); }
  bool has_ended() const override { return session_.has_ended(); }
  base::Result<void> on_output(std::string_view bytes) override {
    base::Result<void> heard;
    const bool fits = lines_.feed(bytes, [&](std::string_view line) {
      if (heard.ok() && !line.empty() && !session_.has_ended()) heard = session_.on_line(line);
    });
    CLEVER_TRY(std::move(heard));
    if (fits) return {};
    return base::resource_exhausted("the agent sent a message of more than 32 MiB");
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
  io::LineSplitter lines_;
};

// Where the files are that the program sees as the project.
std::filesystem::path real_folder(const confine::Command& command) {
  if (command.unconfined) return command.working_directory;
  for (const confine::Mount& mount : command.mounts) {
    if (mount.target == command.working_directory && !mount.source.empty()) return mount.source;
  }
  return {};
}

base::Result<std::string> words_of_acp(const internal::AgentTalkOptions& options,
                                       const confine::Command& command, const std::string& task,
                                       const AgentWatch& watch, const base::StopToken& stop,
                                       base::Deadline deadline, confine::Output& output) {
  CLEVER_ASSIGN(io::Directory folder, io::Directory::open(real_folder(command)));
  FolderHost host(std::move(folder), watch);
  AcpSession session(host, command.working_directory.string(), task);
  AcpTalk talk(session);
  CLEVER_ASSIGN(output, internal::talk_with(options, command, talk, stop, deadline));
  if (!session.has_ended()) {
    return base::unavailable("the agent ended (exit code " +
                             std::to_string(output.ending.exit_code) + ") before it answered " +
                             std::string(session.awaited()));
  }
  // However it ended after its answer, it did what it was asked.
  output.ending = {};
  return session.summary();
}

std::string last_words(const confine::Output& output) {
  const std::string& said = output.error_output.empty() ? output.output : output.error_output;
  const std::string end =
      said.size() > kMostOfOutput ? said.substr(said.size() - kMostOfOutput) : said;
  return base::to_valid_utf8(end);
}

base::Result<void> check_ending(const std::string& program, const confine::Output& output) {
  if (output.ending.exit_code == 0) return {};
  std::string message =
      program + " ended with exit code " + std::to_string(output.ending.exit_code);
  if (!output.ending.remark.empty()) message += "; it " + output.ending.remark;
  const std::string words = last_words(output);
  message += words.empty() ? "; it wrote nothing" : "; it last wrote:\n" + words;
  return base::unavailable(message);
}

std::string summary_of(const std::string& said, const sandbox::Workspace::Captured& captured) {
  const std::size_t count = captured.changes.size();
  std::string text = "changed " + std::to_string(count) + (count == 1 ? " file" : " files");
  const std::string words = base::to_valid_utf8(said);
  if (!words.empty()) text += "\n" + tool::cut_middle(words, kLongestSummary);
  return text;
}

}  // namespace

base::Result<ToolActorResult> AgentRunner::work(const Actor& actor, const Values& arguments,
                                                const std::string& task,
                                                sandbox::Workspace& workspace,
                                                const AgentWatch& watch,
                                                const base::StopToken& stop) const {
  if (options_.commands == nullptr) {
    return base::unavailable("the actor " + actor.name +
                             " runs a program, which is not possible here");
  }
  CLEVER_ASSIGN(tool::WorkspaceCommand command, command_of(actor, arguments, task));
  const internal::AgentTalkOptions talking{
      .launcher = options_.launcher, .clock = options_.clock, .grace = options_.grace};
  std::string said;
  command.run = [&](const confine::Command& confined, std::string_view input, std::size_t,
                    const base::StopToken& asked,
                    base::Deadline deadline) -> base::Result<confine::Output> {
    confine::Output output;
    if (actor.program.speaks_acp) {
      CLEVER_ASSIGN(said, words_of_acp(talking, confined, task, watch, asked, deadline, output));
      return output;
    }
    PlainTalk talk{std::string(input), watch};
    CLEVER_ASSIGN(output, internal::talk_with(talking, confined, talk, asked, deadline));
    said = output.output;
    return output;
  };
  CLEVER_ASSIGN(const tool::CommandReport report,
                options_.commands->run(workspace, command, stop, base::Deadline::never()));
  if (report.failure) return *report.failure;
  CLEVER_TRY(check_ending(command.argv.front(), *report.output));
  return ToolActorResult{.summary = summary_of(said, report.captured),
                         .files = static_cast<std::int64_t>(report.captured.changes.size())};
}

base::Result<tool::WorkspaceCommand> AgentRunner::command_of(const Actor& actor,
                                                             const Values& arguments,
                                                             const std::string& task) const {
  const AgentProgram& program = actor.program;
  Values values = arguments;
  values["task"] = task;
  tool::WorkspaceCommand command{.argv = {},
                                 .timeout = std::chrono::seconds(program.timeout_s),
                                 .copied = program.speaks_acp,
                                 .chosen_by_person = true};
  for (const std::string& word : program.command) {
    command.argv.push_back(internal::expand(word, values));
    if (command.argv.back().size() > kLongestWord) {
      return base::invalid_argument(
          "the task is too long for a command line; if the agent of the "
          "actor " +
          actor.name + " can read it, write prompt: stdin in the actor's file");
    }
  }
  if (program.reads_task) command.standard_input = task;
  if (program.network) command.network = confine::Network::kOn;
  add_environment(actor, command);
  CLEVER_TRY(add_folders(actor, command));
  return command;
}

void AgentRunner::add_environment(const Actor& actor, tool::WorkspaceCommand& command) const {
  for (const std::string& name : actor.program.environment) {
    for (const std::string& entry : options_.world.environment) {
      if (entry.starts_with(name + "=")) command.environment.push_back(entry);
    }
  }
}

base::Result<void> AgentRunner::add_folders(const Actor& actor,
                                            tool::WorkspaceCommand& command) const {
  for (const std::string& text : actor.program.folders) {
    const bool of_home = text.starts_with("~/");
    const std::filesystem::path folder =
        of_home ? options_.world.home / text.substr(2) : std::filesystem::path(text);
    if (io::file_kind(folder) == io::FileKind::kMissing) {
      return base::not_found("the actor " + actor.name + " allows its agent the folder " + text +
                             ", which does not exist; log in to the agent once, or remove it from "
                             "folders");
    }
    command.mounts.push_back(
        {.kind = confine::Mount::Kind::kWritable, .target = folder, .source = folder});
  }
  return {};
}

}  // namespace clever::engine
