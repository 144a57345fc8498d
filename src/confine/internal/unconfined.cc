#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "confine/internal/channel.h"
#include "confine/internal/children.h"
#include "confine/internal/program.h"
#include "confine/internal/report.h"
#include "confine/internal/start_outcome.h"
#include "confine/internal/streams.h"
#include "confine/internal/supervisor.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

// Returns the parent of a process, from "PID (NAME) STATE PARENT …"; the name may contain anything.
pid_t parent_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0;
  fields >> state >> parent;
  return parent;
}

// This process reaps its descendants: orphans become its children.
void kill_children() {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string name = entry.path().filename();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    if (parent_of(entry.path()) == ::getpid()) ::kill(std::stoi(name), SIGKILL);
  }
}

// A killed process leaves its children to this one, which kills them in turn, until none is left.
void end_descendants(pid_t program) {
  ::kill(-program, SIGKILL);
  while (true) {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    kill_children();
    ::poll(nullptr, 0, 1);
  }
}

base::Result<pid_t> start_unconfined(const Command& command) {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
    return io::system_error(errno, "cannot reap processes");
  CLEVER_ASSIGN(Ends failure, make_pipe());
  const pid_t program = ::fork();
  if (program < 0) return io::system_error(errno, "cannot start a process");
  if (program == 0) {
    tell_failure(failure.writing, become_unconfined(command));
    ::_exit(127);
  }
  failure.writing.reset();
  forget_standard_streams();
  CLEVER_TRY(start_outcome(failure.reading));
  return program;
}

}  // namespace

int supervise_unconfined(const Command& command) {
  auto children = ChildWatch::create();
  auto program = children.ok() ? start_unconfined(command) : base::Result<pid_t>(children.error());
  if (!program.ok()) {
    send_report(kControlNumber, failure_report(program.error()));
    return 1;
  }
  send_report(kControlNumber, {.kind = Report::Kind::kStarted});
  // A person allowed the command without limits.
  UsageWatch nothing;
  children->wait_for(*program, nothing);
  end_descendants(*program);
  return 0;
}

}  // namespace clever::confine::internal
