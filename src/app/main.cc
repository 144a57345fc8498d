#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/databases.h"
#include "app/interruption.h"
#include "app/models.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "confine/confined_process.h"
#include "io/background_process.h"
#include "io/environment.h"
#include "io/file.h"
#include "io/foreground_program.h"
#include "io/line_input.h"
#include "io/output.h"
#include "io/owned_terminal.h"
#include "io/standard_streams.h"
#include "io/terminal.h"

namespace {

using clever::service::ExitCode;

// The name under which this program starts as the first process of a sandbox.
constexpr std::string_view kSupervise = "supervise-sandbox";
constexpr const char* kSelf = "/proc/self/exe";

constexpr int kInput = 0;
constexpr int kOutput = 1;
constexpr int kErrorOutput = 2;

// A question needs a terminal on both sides: to show it and to read the answer.
clever::service::Screen::ReadLine read_line() {
  if (!clever::io::is_terminal(kInput) || !clever::io::is_terminal(kErrorOutput)) return {};
  return [](const clever::base::StopToken& stop) { return clever::io::read_line(kInput, stop); };
}

clever::service::Screen::ReadLine read_key() {
  if (!read_line()) return {};
  return [](const clever::base::StopToken& stop) { return clever::io::read_key(kInput, stop); };
}

// An editor or a pager needs a terminal.
clever::service::Screen::Foreground foreground() {
  if (!clever::io::is_terminal(kOutput)) return {};
  return clever::io::run_in_foreground;
}

// A full-screen view needs a terminal at all three ends.
clever::service::Screen::OpenTerminal open_terminal() {
  for (const int stream : {kInput, kOutput, kErrorOutput}) {
    if (!clever::io::is_terminal(stream)) return {};
  }
  return [](clever::io::OwnedTerminal::Mode mode) {
    return clever::io::OwnedTerminal::open(kInput, kOutput, mode);
  };
}

clever::cli::Console console() {
  return {.output = [](std::string_view text) { return clever::io::write_all(kOutput, text); },
          .error_output =
              [](std::string_view text) { return clever::io::write_all(kErrorOutput, text); },
          .output_is_terminal = clever::io::is_terminal(kOutput),
          .error_is_terminal = clever::io::is_terminal(kErrorOutput),
          .width = clever::io::terminal_width(kOutput),
          .size = [] { return clever::io::terminal_size(kErrorOutput); },
          .read_line = read_line(),
          .read_key = read_key(),
          .foreground = foreground(),
          .open_terminal = open_terminal()};
}

clever::base::Result<std::int64_t> start_again(const std::vector<std::string>& arguments,
                                               const std::filesystem::path& directory,
                                               const std::filesystem::path& log) {
  std::vector<std::string> argv = {kSelf};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return clever::io::start_in_background(
      {.argv = std::move(argv), .working_directory = directory, .log = log});
}

ExitCode run(const std::vector<std::string>& arguments) {
  clever::base::SystemClock clock;
  clever::app::Interruption interruption;
  clever::app::ProcessDatabases databases(clock);
  const auto environment = clever::io::Environment::of_process();
  // In a deleted directory --help still works; a command that needs a directory says so itself.
  const auto directory = clever::io::working_directory().value_or(".");
  clever::app::ProcessModels models(clock, environment, directory);
  const clever::service::Surroundings surroundings{
      .environment = environment,
      .working_directory = directory,
      .clock = &clock,
      .databases = &databases,
      .models = &models,
      .launcher = {{kSelf, std::string(kSupervise)}},
      .input = [] { return clever::io::read_standard_input(); },
      .interruption = [&interruption] { return interruption.token(); },
      .insistence = [&interruption] { return interruption.insistence(); },
      .hangups =
          [&interruption](std::function<void()> note) { interruption.on_hangup(std::move(note)); },
      .background = start_again};
  return clever::cli::run(clever::cli::command_tree(), arguments, surroundings, console());
}

}  // namespace

int main(int argc, char** argv) {
  // Runs before anything else: the sandbox needs a process with one thread and no open files.
  if (argc > 1 && argv[1] == kSupervise) return clever::confine::supervisor_main(argc, argv);
  clever::io::hold_standard_streams();
  try {
    return static_cast<int>(run({argv + (argc > 0 ? 1 : 0), argv + argc}));
  } catch (const std::exception& exception) {
    // Out of memory, or a bug: the user gets a sentence rather than a core dump.
    static_cast<void>(
        clever::io::write_all(kErrorOutput, std::string("error: ") + exception.what() + "\n"));
    return static_cast<int>(ExitCode::kError);
  }
}
