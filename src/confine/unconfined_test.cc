#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>

#include "confine/confined_process.h"
#include "support/child_process.h"
#include "support/confine_launcher.h"
#include "support/temporary_directory.h"

namespace clever::confine {
namespace {

using test::run_confined;
using test::TemporaryDirectory;

class Unconfined : public ::testing::Test {
 protected:
  [[nodiscard]] Command command(std::string script) const {
    Command made = test::confined_shell(std::move(script));
    made.working_directory = folder_.path();
    made.unconfined = true;
    return made;
  }
  [[nodiscard]] bool is_locked() const {
    const io::FileDescriptor file(::open((folder_ / "lock").c_str(), O_RDWR | O_CLOEXEC));
    return file.valid() && ::flock(file.number(), LOCK_EX | LOCK_NB) != 0;
  }

  TemporaryDirectory folder_;
};

TEST_F(Unconfined, WritesWhereItRuns) {
  const auto output = run_confined(command("echo x > file; pwd; exit 4")).value();
  EXPECT_EQ(output.ending.exit_code, 4);
  EXPECT_EQ(output.output, folder_.path().string() + "\n");
  EXPECT_EQ(folder_.read("file"), "x\n");
}

TEST_F(Unconfined, HasOnlyTheGivenEnvironment) {
  auto made = command("");
  made.argv = {"env"};
  made.environment = {"PATH=/usr/bin:/bin"};
  EXPECT_EQ(run_confined(made).value().output, "PATH=/usr/bin:/bin\n");
}

TEST_F(Unconfined, SaysThatThereIsNoSuchProgram) {
  auto made = command("");
  made.argv = {"no-such-program"};
  EXPECT_EQ(run_confined(made).error().code(), base::ErrorCode::kNotFound);
}

TEST_F(Unconfined, EndsTheDaemonsItLeaves) {
  const auto output = run_confined(
      command("(setsid sh -c 'flock lock sh -c \"touch ready; sleep 1000\"' > /dev/null 2>&1 &) ; "
              "while [ ! -e ready ]; do :; done"));
  EXPECT_EQ(output.value().ending.exit_code, 0);
  // The kernel may drop the lock of a killed process a moment after its end.
  while (is_locked()) ::sched_yield();
}

TEST_F(Unconfined, EndsWithItsHandle) {
  {
    const auto process =
        ConfinedProcess::start(test::confine_launcher(),
                               command("setsid flock lock sh -c 'touch ready; sleep 1000' & wait"))
            .value();
    while (!std::filesystem::exists(folder_ / "ready")) ::sched_yield();
    EXPECT_TRUE(is_locked());
  }
  EXPECT_FALSE(is_locked());
}

TEST_F(Unconfined, NothingSurvivesTheDeathOfItsStarter) {
  test::ChildProcess starter([&] {
    const auto process =
        ConfinedProcess::start(test::confine_launcher(),
                               command("setsid flock lock sh -c 'touch ready; sleep 1000' & wait"))
            .value();
    static_cast<void>(process->wait());
    return 0;
  });
  while (!std::filesystem::exists(folder_ / "ready")) ::sched_yield();
  EXPECT_EQ(starter.kill_and_wait(), -SIGKILL);
  const io::FileDescriptor file(::open((folder_ / "lock").c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_EQ(::flock(file.number(), LOCK_EX), 0);
}

TEST_F(Unconfined, HasNoTerminal) {
  EXPECT_NE(run_confined(command("echo x > /dev/tty")).value().ending.exit_code, 0);
}

}  // namespace
}  // namespace clever::confine
