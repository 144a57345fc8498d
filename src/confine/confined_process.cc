#include "confine/confined_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <csignal>
#include <utility>

#include "base/lock_rank.h"
#include "confine/internal/channel.h"
#include "confine/internal/hidden.h"
#include "confine/internal/host_rules.h"
#include "confine/internal/proxy.h"
#include "confine/internal/remarks.h"
#include "confine/internal/report.h"
#include "confine/internal/request.h"
#include "confine/internal/stop_event.h"
#include "confine/internal/supervisor_process.h"
#include "confine/internal/user_programs.h"

namespace clever::confine {
namespace {

using namespace internal;

// A supervisor needs milliseconds; an overloaded machine needs more.
constexpr std::chrono::minutes kStartPatience{2};

// All pipes of one command, both sides.
struct Plumbing {
  Ends input;
  Ends output;
  Ends error;
  Sockets control;

  static base::Result<Plumbing> create() {
    CLEVER_ASSIGN(Ends input, make_pipe());
    CLEVER_ASSIGN(Ends output, make_pipe());
    CLEVER_ASSIGN(Ends error, make_pipe());
    CLEVER_ASSIGN(Sockets control, make_socket_pair());
    return Plumbing{.input = std::move(input),
                    .output = std::move(output),
                    .error = std::move(error),
                    .control = std::move(control)};
  }

  [[nodiscard]] SupervisorDescriptors descriptors(int proxy) const {
    return {.input = input.reading.number(),
            .output = output.writing.number(),
            .error = error.writing.number(),
            .control = control.theirs.number(),
            .proxy = proxy};
  }
};

// The proxy, if the command needs one, and the supervisor's end of its socket.
struct WayOut {
  std::unique_ptr<Proxy> proxy{};
  io::FileDescriptor theirs{};

  static base::Result<WayOut> create(const Launcher& launcher, const Command& command) {
    CLEVER_ASSIGN(HostRules rules, HostRules::parse(command.hosts));
    if (command.network != Network::kHosts || command.unconfined) return WayOut{};
    CLEVER_ASSIGN(Sockets sockets, make_socket_pair());
    CLEVER_ASSIGN(io::FileDescriptor event, StopEvent::create());
    return WayOut{.proxy = std::make_unique<Proxy>(launcher, std::move(rules), command.closed_ports,
                                                   std::move(sockets.ours), std::move(event)),
                  .theirs = std::move(sockets.theirs)};
  }
};

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) {
    return {.exit_code = 128 + WTERMSIG(status), .signal = WTERMSIG(status)};
  }
  return {.exit_code = WEXITSTATUS(status)};
}

std::string limit_remark(const Ending& ending, const Limits& limits) {
  const auto ended_by = [&ending](int signal) { return ending.exit_code == 128 + signal; };
  if (ended_by(SIGXCPU) && limits.cpu.count() > 0) {
    return "used up its processor time of " + std::to_string(limits.cpu.count()) + " s";
  }
  if (ended_by(SIGXFSZ) && limits.file_size > 0) {
    return "wrote a file beyond the limit of " + size_text(limits.file_size);
  }
  return {};
}

class SupervisedProcess final : public ConfinedProcess {
 public:
  SupervisedProcess(Limits limits, std::string unseen, Pipes pipes, io::FileDescriptor control,
                    SupervisorProcess supervisor, std::unique_ptr<Proxy> proxy)
      : limits_(limits),
        unseen_(std::move(unseen)),
        pipes_(std::move(pipes)),
        control_(std::move(control)),
        supervisor_(std::move(supervisor)),
        proxy_(std::move(proxy)) {}
  ~SupervisedProcess() override {
    SupervisedProcess::kill();
    supervisor_.reap();
  }
  SupervisedProcess(const SupervisedProcess&) = delete;
  SupervisedProcess& operator=(const SupervisedProcess&) = delete;

  Pipes& pipes() override { return pipes_; }
  [[nodiscard]] int watch() const override { return supervisor_.watch(); }
  // The supervisor notices the end of its socket; its last messages can still be read here.
  void kill() override { ::shutdown(control_.number(), SHUT_WR); }

  base::Result<Ending> wait(const base::StopToken& stop, base::Deadline deadline) override {
    base::lock_rank::require_none("waiting for a command");
    if (ending_) return *ending_;
    CLEVER_ASSIGN(io::FileDescriptor event, StopEvent::create());
    const StopEvent stopped(std::move(event), stop);
    while (!has_ended(stopped, deadline)) {
      if (stop.stop_requested()) return base::cancelled("stopped while a command runs");
      if (deadline.passed()) return base::deadline_exceeded("the command still runs");
    }
    supervisor_.reap();
    ending_ = last_words();
    return *ending_;
  }

  // Waits until the program runs, or until the reason for its failure is known.
  base::Result<void> begin(const std::string& request) {
    CLEVER_TRY(send_all(control_.number(), request));
    CLEVER_ASSIGN(const Report report, receive_report(control_.number(), kStartPatience));
    if (report.kind == Report::Kind::kStarted) return {};
    const bool unseen = report.code == base::ErrorCode::kNotFound && !unseen_.empty();
    return base::Error(report.code, unseen ? "cannot run " + unseen_ : report.message);
  }

 private:
  [[nodiscard]] bool has_ended(const StopEvent& stopped, const base::Deadline& deadline) const {
    std::array<pollfd, 2> events{{
        {.fd = supervisor_.watch(), .events = POLLIN, .revents = 0},
        {.fd = stopped.descriptor(), .events = POLLIN, .revents = 0},
    }};
    return ::poll(events.data(), events.size(), poll_timeout(deadline)) > 0 &&
           events[0].revents != 0;
  }

  // Reads the supervisor's last messages after its end.
  [[nodiscard]] Ending last_words() const {
    const auto report = receive_report(control_.number(), std::chrono::milliseconds(0));
    if (!report.ok() || report->kind != Report::Kind::kEnded) return ending_of(SIGKILL);
    Ending ending = ending_of(report->status);
    ending.remark = report->message.empty() ? limit_remark(ending, limits_) : report->message;
    // A shell exits like this if a program cannot be run or found.
    const bool not_run = ending.exit_code == 126 || ending.exit_code == 127;
    if (not_run && !unseen_.empty()) ending.remark = "named " + unseen_;
    return ending;
  }

  // Constant after construction.
  const Limits limits_;
  const std::string unseen_;  // UserPrograms::unseen
  // pipes_ belongs to the caller that moves it out, the rest to the caller of wait().
  Pipes pipes_;
  std::optional<Ending> ending_;
  io::FileDescriptor control_;
  SupervisorProcess supervisor_;
  // Declared last: it serves the running command.
  std::unique_ptr<Proxy> proxy_;
};

}  // namespace

base::Result<std::unique_ptr<ConfinedProcess>> ConfinedProcess::start(const Launcher& launcher,
                                                                      const Command& command) {
  base::lock_rank::require_none("starting a command");
  CLEVER_TRY(check_command(command));
  Command complete = command;
  add_hidden_homes(complete);
  UserPrograms programs;
  if (!command.unconfined) programs = user_programs(complete, command.hidden);
  add_mounts(complete, std::move(programs.mounts));
  CLEVER_ASSIGN(const std::string request, encode_request(complete));
  CLEVER_ASSIGN(WayOut way_out, WayOut::create(launcher, complete));
  CLEVER_ASSIGN(Plumbing plumbing, Plumbing::create());
  CLEVER_ASSIGN(
      SupervisorProcess supervisor,
      SupervisorProcess::start(launcher.argv, plumbing.descriptors(way_out.theirs.number())));
  // From here on only the supervisor holds these ends.
  plumbing.control.theirs.reset();
  way_out.theirs.reset();
  auto process = std::make_unique<SupervisedProcess>(
      complete.limits, std::move(programs.unseen),
      Pipes{.input = std::move(plumbing.input.writing),
            .output = std::move(plumbing.output.reading),
            .error = std::move(plumbing.error.reading)},
      std::move(plumbing.control.ours), std::move(supervisor), std::move(way_out.proxy));
  CLEVER_TRY(process->begin(request));
  return std::unique_ptr<ConfinedProcess>(std::move(process));
}

}  // namespace clever::confine
