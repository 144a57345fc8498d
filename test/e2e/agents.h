#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/process.h"
#include "support/built_paths.h"
#include "support/temporary_directory.h"

namespace clever::e2e {

using test::agents_program;

/// A user with a home and a working directory of their own who runs `agents`.
class User {
 public:
  User() {
    std::filesystem::create_directories(work());
    environment_ = {"PATH=/usr/local/bin:/usr/bin:/bin",
                    "LANG=C.UTF-8",
                    "TERM=xterm",
                    "HOME=" + folder_.path().string(),
                    "CLEVERAGENTS_HOME=" + (folder_ / "home").string(),
                    "AGENTS=" + agents_program()};
    // Where the coverage build writes to; harmless otherwise.
    if (const char* profile = std::getenv("LLVM_PROFILE_FILE")) {
      environment_.push_back(std::string("LLVM_PROFILE_FILE=") + profile);
    }
  }

  [[nodiscard]] io::ProcessResult agents(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), agents_program());
    return run(std::move(arguments));
  }

  /// A bash script; $AGENTS is the program.
  [[nodiscard]] io::ProcessResult bash(const std::string& script) const {
    return run({"bash", "-c", script});
  }

  [[nodiscard]] io::ProcessResult run(std::vector<std::string> argv) const {
    return io::run_process(
               {.argv = std::move(argv), .working_directory = work(), .environment = environment_})
        .value();
  }

  void set(const std::string& variable, const std::string& value) {
    environment_.push_back(variable + "=" + value);
  }

  [[nodiscard]] const std::vector<std::string>& environment() const { return environment_; }
  [[nodiscard]] std::filesystem::path work() const { return folder_ / "work"; }
  [[nodiscard]] const test::TemporaryDirectory& folder() const { return folder_; }

 private:
  test::TemporaryDirectory folder_;
  std::vector<std::string> environment_;
};

/// What the user sees who types the command at a terminal.
inline std::string at_a_terminal(const User& user, const std::string& command) {
  return user.run({"script", "--quiet", "--return", "--command", command, "/dev/null"}).output;
}

}  // namespace clever::e2e
