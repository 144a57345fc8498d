#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/monitor.h"
#include "confine/confined_process.h"
#include "io/descriptor_wait.h"
#include "io/output.h"

namespace clever::mcp::internal {

/// The other ends of a fake process: the test plays the program. Thread-safe except read_line(),
/// which one thread calls.
class FakeProgram {
 public:
  struct Pipe {
    io::FileDescriptor reading;
    io::FileDescriptor writing;
  };

  FakeProgram() : input_(make_pipe()), output_(make_pipe()), error_(make_pipe()) {}

  /// The next line it received; none at the end.
  std::optional<std::string> read_line() {
    while (!held_.contains('\n')) {
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(input_.reading.number(), buffer.data(), buffer.size());
      if (count <= 0) return std::nullopt;
      held_.append(buffer.data(), static_cast<std::size_t>(count));
    }
    std::string line = held_.substr(0, held_.find('\n'));
    held_.erase(0, line.size() + 1);
    return line;
  }
  /// Whether read_line() would return at once.
  [[nodiscard]] bool has_more() const {
    std::array<io::Awaited, 1> files{io::Awaited{.file = &input_.reading}};
    return held_.contains('\n') || (io::wait_for_any(files, 0).ok() && files[0].ready);
  }
  void write(std::string_view bytes) {
    std::ignore = io::write_all(output_.writing.number(), bytes);
  }
  void say_line(std::string_view line) { write(std::string(line) + '\n'); }
  void complain(std::string_view words) {
    std::ignore = io::write_all(error_.writing.number(), words);
  }
  void close_output() { output_.writing.reset(); }
  void exit(int code) {
    ending_.update([&](Ending& ending) { ending.value = confine::Ending{.exit_code = code}; });
    output_.writing.reset();
    error_.writing.reset();
  }
  [[nodiscard]] bool was_killed() const {
    return ending_.read([](const Ending& ending) { return ending.killed; });
  }

 private:
  friend class FakeProcess;
  struct Ending {
    std::optional<confine::Ending> value{};
    bool killed = false;
  };

  static Pipe make_pipe() {
    std::array<int, 2> ends{};
    std::ignore = ::pipe2(ends.data(), O_CLOEXEC);
    return {.reading = io::FileDescriptor(ends[0]), .writing = io::FileDescriptor(ends[1])};
  }

  Pipe input_;
  Pipe output_;
  Pipe error_;
  std::string held_{};
  base::Monitor<Ending> ending_;
};

class FakeProcess final : public confine::ConfinedProcess {
 public:
  explicit FakeProcess(std::shared_ptr<FakeProgram> program)
      : program_(std::move(program)),
        pipes_{.input = std::move(program_->input_.writing),
               .output = std::move(program_->output_.reading),
               .error = std::move(program_->error_.reading)} {}

  Pipes& pipes() override { return pipes_; }
  void kill() override {
    program_->ending_.update([](FakeProgram::Ending& ending) {
      ending.killed = true;
      if (!ending.value) ending.value = confine::Ending{.exit_code = 137, .signal = 9};
    });
  }
  base::Result<confine::Ending> wait(const base::StopToken& stop,
                                     base::Deadline deadline) override {
    return program_->ending_.update_when(
        stop, deadline, [](const FakeProgram::Ending& ending) { return ending.value.has_value(); },
        [](FakeProgram::Ending& ending) { return *ending.value; });
  }

 private:
  const std::shared_ptr<FakeProgram> program_;
  Pipes pipes_;
};

}  // namespace clever::mcp::internal
