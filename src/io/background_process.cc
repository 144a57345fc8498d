#include "io/background_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "io/file.h"
#include "io/file_descriptor.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

constexpr mode_t kLogMode = 0600;

struct Streams {
  FileDescriptor input;
  FileDescriptor output;
};

base::Result<Streams> open_streams(const std::filesystem::path& log) {
  FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.valid()) return system_error(errno, "cannot open", "/dev/null");
  FileDescriptor output(::open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kLogMode));
  if (!output.valid()) return system_error(errno, "cannot write", log);
  return Streams{.input = std::move(input), .output = std::move(output)};
}

// posix_spawn's two objects, ended with this one.
class Spawning {
 public:
  Spawning(const Streams& streams, const std::filesystem::path& folder) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.input.number(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.output.number(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.output.number(), STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;

  int start(pid_t& process, const std::vector<char*>& arguments) const {
    return ::posix_spawnp(&process, arguments.front(), &actions_, &attributes_, arguments.data(),
                          environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

base::Result<void> check(const BackgroundProcess& process) {
  if (process.argv.empty() || process.argv.front().empty()) {
    return base::invalid_argument("no program to run");
  }
  const bool has_nul = std::ranges::any_of(
      process.argv, [](const std::string& text) { return text.find('\0') != std::string::npos; });
  if (has_nul) {
    return base::invalid_argument("an argument of " + process.argv.front() +
                                  " contains a NUL byte");
  }
  const auto& folder = process.working_directory;
  if (!folder.empty() && file_kind(folder) != FileKind::kDirectory) {
    return base::not_found("cannot run " + process.argv.front() + " in " + folder.string() +
                           ": no such folder");
  }
  return {};
}

}  // namespace

base::Result<std::int64_t> start_in_background(const BackgroundProcess& process) {
  CLEVER_TRY(check(process));
  CLEVER_ASSIGN(const Streams streams, open_streams(process.log));
  // exec does not write to them.
  std::vector<char*> arguments;
  for (const std::string& text : process.argv) {
    arguments.push_back(const_cast<char*>(text.c_str()));
  }
  arguments.push_back(nullptr);
  pid_t number = 0;
  const int failure = Spawning(streams, process.working_directory).start(number, arguments);
  if (failure != 0) return system_error(failure, "cannot run " + process.argv.front());
  return static_cast<std::int64_t>(number);
}

}  // namespace clever::io
