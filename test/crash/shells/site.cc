#include "crash/shells/site.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "support/built_paths.h"

namespace clever::crash {
namespace {

// Longer than any of them takes on a loaded machine.
constexpr std::chrono::minutes kPatience{5};

}  // namespace

Site::Site() {
  std::filesystem::create_directories(project());
  std::filesystem::create_directories(home());
  environment_ = {"PATH=/usr/local/bin:/usr/bin:/bin",
                  "LANG=C.UTF-8",
                  "HOME=" + home().string(),
                  "CLEVERAGENTS_HOME=" + home().string(),
                  "AGENTS=" + test::agents_program(),
                  "GIT_CONFIG_GLOBAL=/dev/null",
                  "GIT_CONFIG_NOSYSTEM=1",
                  "GIT_EDITOR=true"};
  if (const char* profile = std::getenv("LLVM_PROFILE_FILE")) {
    environment_.push_back(std::string("LLVM_PROFILE_FILE=") + profile);
  }
  expect(
      "git init --quiet --initial-branch=main && git config user.name Ada && "
      "git config user.email ada@example.org && git config gc.auto 0");
}

io::ProcessOptions Site::bash(std::string_view script) const {
  return {.argv = {"bash", "-c", std::string(script)},
          .working_directory = project(),
          .environment = environment_};
}

io::ProcessResult Site::run(std::string_view script) const {
  base::SystemClock clock;
  io::ProcessOptions options = bash(script);
  options.deadline = base::Deadline::after(clock, kPatience);
  auto result = io::run_process(options);
  EXPECT_TRUE(result.ok()) << script << ": " << result.error().sentence();
  return result.ok() ? std::move(result).value() : io::ProcessResult{};
}

std::string Site::expect(std::string_view script) const {
  io::ProcessResult result = run(script);
  EXPECT_EQ(result.exit_code, 0) << script << "\n" << result.output << result.error_output;
  return std::move(result.output);
}

void Site::keep(std::string_view name) const { copy("now", name); }

void Site::put_back(std::string_view name) const { copy(name, "now"); }

void Site::copy(std::string_view from, std::string_view to) const {
  std::filesystem::remove_all(folder_ / to);
  const auto copied =
      io::run_process({.argv = {"cp", "-a", (folder_ / from).string(), (folder_ / to).string()}});
  EXPECT_TRUE(copied.ok() && copied->succeeded());
}

}  // namespace clever::crash
