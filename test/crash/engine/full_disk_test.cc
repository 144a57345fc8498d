// The disk below the home is full in the midst of `agents run`: it stops and says why, and with
// room again the plan goes on where it was. On a real file system, in a mount namespace of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "crash/engine/book.h"
#include "crash/engine/victim.h"

namespace clever::engine::crash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Writes pages that do not compress away, until it is done.
std::string wordy_script() {
  std::string text = "rules:\n";
  for (int turn = 1; turn <= 12; ++turn) {
    const std::string number = std::to_string(turn);
    text += "- match: {turn: " + number +
            "}\n  tool_calls:\n  - name: write_file\n    arguments: {path: new" + number +
            ".txt, content: \"" + number + std::string(30'000, 'x') + "\"}\n";
  }
  return text + "- reply: All is written.\n";
}

class FullDiskTest : public ::testing::Test {
 protected:
  // As root of namespaces of its own; $1 is the program, $2 the home, which is small and empty.
  io::ProcessResult in_small_home(const std::string& script) {
    auto options = book_.agents(home_, {home_.string()});
    const std::string program = options.argv.front();
    options.argv = {"unshare",
                    "--user",
                    "--map-root-user",
                    "--mount",
                    "/bin/sh",
                    "-c",
                    "mount -t tmpfs -o size=1600k home \"$2\" && cd \"$PWD\" || exit 77; "
                    "cp \"$2.settings\"/* \"$2\"; " +
                        script,
                    "sh",
                    program,
                    home_.string()};
    options.deadline = base::Deadline::after(clock_, kPatience);
    const auto result = io::run_process(options);
    return result.ok() ? *result : io::ProcessResult{.exit_code = kNoNamespace};
  }

  static constexpr int kNoNamespace = 77;
  base::SystemClock clock_;
  Book book_;
  const std::filesystem::path home_ = book_.repository().beside("home");
};

TEST_F(FullDiskTest, TheRunStopsWithTheReasonAndContinuesWhenThereIsRoom) {
  const auto settings = book_.new_home("home.settings");
  std::filesystem::create_directories(home_);
  std::ofstream(book_.repository().beside("wordy.yaml")) << wordy_script();
  const auto result = in_small_home(
      "\"$1\" run --direct --unconfined --script ../wordy.yaml 'Write a lot.'; echo \"run: $?\"; "
      "mount -o remount,size=200m home \"$2\"; "
      "\"$1\" plan resume --unconfined --script ../wordy.yaml; echo \"resume: $?\"; \"$1\" db "
      "verify");
  if (result.exit_code == kNoNamespace) {
    std::cout << "not tried: this user may mount nothing here: " << result.error_output;
    return;
  }
  EXPECT_THAT(result.output, AllOf(HasSubstr("run: 1"), HasSubstr("resume: 0")));
  EXPECT_THAT(result.error_output, AllOf(HasSubstr("full"), HasSubstr("no recorded work is lost")));
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error_output;
}

}  // namespace
}  // namespace clever::engine::crash
