#include "confine/confined_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <fstream>

#include "base/thread.h"
#include "support/child_process.h"
#include "support/confine_launcher.h"
#include "support/temporary_directory.h"

namespace clever::confine {
namespace {

using base::Deadline;
using base::ErrorCode;
using test::confined_shell;
using test::run_confined;
using test::TemporaryDirectory;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::size_t kLimit = 1U << 20U;

Output run_shell(std::string script) {
  return run_confined(confined_shell(std::move(script))).value();
}

Mount writable(const TemporaryDirectory& folder, std::filesystem::path target) {
  return {.kind = Mount::Kind::kWritable, .target = std::move(target), .source = folder.path()};
}

// Waits until no process holds the lock that a command took on a file.
void wait_for_lock(const std::filesystem::path& path) {
  const io::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  ASSERT_TRUE(file.valid());
  EXPECT_EQ(::flock(file.number(), LOCK_EX), 0);
}

bool is_locked(const std::filesystem::path& path) {
  const io::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  return file.valid() && ::flock(file.number(), LOCK_EX | LOCK_NB) != 0;
}

TEST(ConfinedRun, ReturnsBothOutputsAndTheExitCode) {
  const Output output = run_shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(output.ending.exit_code, 3);
  EXPECT_EQ(output.ending.signal, std::nullopt);
  EXPECT_EQ(output.output, "out\n");
  EXPECT_EQ(output.error_output, "err\n");
  EXPECT_FALSE(output.truncated);
}

TEST(ConfinedRun, ReportsTheSignal) {
  const Output output = run_shell("kill -TERM $$");
  EXPECT_EQ(output.ending.signal, SIGTERM);
  EXPECT_EQ(output.ending.exit_code, 128 + SIGTERM);
}

TEST(ConfinedRun, FeedsStandardInput) {
  auto command = confined_shell("");
  command.argv = {"cat"};
  const std::string text(1'000'000, 'i');
  EXPECT_EQ(run_confined(command, text).value().output, text);
}

TEST(ConfinedRun, SurvivesACommandThatDoesNotListen) {
  auto command = confined_shell("");
  command.argv = {"true"};
  EXPECT_EQ(run_confined(command, std::string(1'000'000, 'i')).value().ending.exit_code, 0);
}

TEST(ConfinedRun, KeepsTheFirstAndTheLastHalf) {
  const auto command =
      confined_shell("i=0; while [ $i -lt 1000 ]; do echo line $i; i=$((i+1)); done");
  const auto output =
      run(test::confine_launcher(), command, "", 100, {}, Deadline::never()).value();
  EXPECT_TRUE(output.truncated);
  EXPECT_THAT(output.output, ::testing::StartsWith("line 0\n"));
  EXPECT_THAT(output.output, ::testing::EndsWith("line 999\n"));
  EXPECT_THAT(output.output, HasSubstr("bytes left out"));
}

TEST(ConfinedRun, HasOnlyTheGivenEnvironment) {
  auto command = confined_shell("");
  command.argv = {"env"};
  command.environment = {"A=1", "PATH=/usr/bin:/bin"};
  EXPECT_EQ(run_confined(command).value().output, "A=1\nPATH=/usr/bin:/bin\n");
}

TEST(ConfinedRun, LooksTheProgramUpInTheGivenPath) {
  const TemporaryDirectory folder;
  std::filesystem::permissions(folder.write("tool", "#!/bin/sh\necho found\n"),
                               std::filesystem::perms::owner_all);
  auto command = confined_shell("");
  command.argv = {"tool"};
  command.environment = {"PATH=/nowhere:/tools"};
  command.mounts = {{.kind = Mount::Kind::kReadOnly, .target = "/tools", .source = folder.path()}};
  EXPECT_EQ(run_confined(command).value().output, "found\n");
}

TEST(ConfinedRun, SaysThatThereIsNoSuchProgram) {
  auto command = confined_shell("");
  command.argv = {"no-such-program"};
  const auto result = run_confined(command);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message(), HasSubstr("no-such-program"));
}

TEST(ConfinedRun, SaysThatThereIsNoSuchFolder) {
  auto command = confined_shell("true");
  command.working_directory = "/no/such/folder";
  const auto result = run_confined(command);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message(), HasSubstr("/no/such/folder"));
}

TEST(ConfinedRun, SaysThatTheSourceOfAMountIsMissing) {
  auto command = confined_shell("true");
  command.mounts = {{.kind = Mount::Kind::kWritable, .target = "/x", .source = "/no/such"}};
  const auto result = run_confined(command);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message(), HasSubstr("/no/such"));
}

TEST(ConfinedRun, SaysThatThereIsNoPlaceForAMount) {
  auto command = confined_shell("true");
  command.mounts = {{.kind = Mount::Kind::kTemporary, .target = "/usr/no/such/place"}};
  const auto result = run_confined(command);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(result.error().message(), HasSubstr("/usr/no/such/place"));
}

TEST(ConfinedRun, DoesNotMountAFolderOverAFile) {
  auto command = confined_shell("true");
  command.mounts = {{.kind = Mount::Kind::kTemporary, .target = "/etc/passwd"}};
  EXPECT_EQ(run_confined(command).error().code(), ErrorCode::kInvalidArgument);
}

TEST(ConfinedRun, RefusesAnInvalidCommand) {
  auto command = confined_shell("true");
  command.argv.clear();
  EXPECT_EQ(run_confined(command).error().code(), ErrorCode::kInvalidArgument);
  command = confined_shell("true");
  command.working_directory = "relative";
  EXPECT_EQ(run_confined(command).error().code(), ErrorCode::kInvalidArgument);
}

TEST(ConfinedRun, SaysThatTheSupervisorIsMissing) {
  const auto result = run({.argv = {"/no/such/supervisor"}}, confined_shell("true"), "", kLimit, {},
                          Deadline::never());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(ConfinedProcess::start({}, confined_shell("true")).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(ConfinedRun, SaysThatTheSupervisorIsSomethingElse) {
  const auto result =
      run({.argv = {"/bin/true"}}, confined_shell("true"), "", kLimit, {}, Deadline::never());
  EXPECT_EQ(result.error().code(), ErrorCode::kUnavailable);
}

TEST(ConfinedRun, WritesOnlyBelowItsWritableMount) {
  const TemporaryDirectory folder;
  auto command = confined_shell("echo text > file; mkdir sub; mv file sub/; cat sub/file");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  const auto output = run_confined(command).value();
  EXPECT_EQ(output.output, "text\n") << output.error_output;
  EXPECT_EQ(folder.read("sub/file"), "text\n");
}

TEST(ConfinedRun, FilesKeepTheirOwner) {
  const TemporaryDirectory folder;
  auto command = confined_shell("touch new; stat -c %u new");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  EXPECT_EQ(run_confined(command).value().output, std::to_string(::geteuid()) + "\n");
  struct stat facts{};
  ASSERT_EQ(::stat((folder / "new").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_uid, ::geteuid());
}

TEST(ConfinedRun, AnOverlayTakesTheChangesAndLeavesWhatIsBelow) {
  const TemporaryDirectory folder;
  folder.write("lower/kept", "old");
  folder.write("lower/gone", "old");
  folder.write("first/kept", "first");
  std::filesystem::create_directories(folder / "upper");
  std::filesystem::create_directories(folder / "work");
  auto command = confined_shell("cat kept; echo new > kept; rm gone; echo more > more; ls");
  command.mounts = {{.kind = Mount::Kind::kOverlay,
                     .target = "/workspace",
                     .lower = {folder / "first", folder / "lower"},
                     .upper = folder / "upper",
                     .work = folder / "work"}};
  command.working_directory = "/workspace";
  const auto output = run_confined(command).value();
  EXPECT_EQ(output.output, "firstkept\nmore\n") << output.error_output;
  EXPECT_EQ(folder.read("lower/kept"), "old");
  EXPECT_EQ(folder.read("lower/gone"), "old");
  EXPECT_EQ(folder.read("first/kept"), "first");
  EXPECT_EQ(folder.read("upper/kept"), "new\n");
}

TEST(ConfinedRun, AnOverlayMayHaveAnyName) {
  const TemporaryDirectory folder;
  folder.write("a:b,c\\d e/file", "odd");
  std::filesystem::create_directories(folder / "up,:per");
  std::filesystem::create_directories(folder / "wo:rk");
  auto command = confined_shell("cat file");
  command.mounts = {{.kind = Mount::Kind::kOverlay,
                     .target = "/workspace",
                     .lower = {folder / "a:b,c\\d e"},
                     .upper = folder / "up,:per",
                     .work = folder / "wo:rk"}};
  command.working_directory = "/workspace";
  EXPECT_EQ(run_confined(command).value().output, "odd");
}

TEST(ConfinedRun, AMountMayLieWithinAnother) {
  const TemporaryDirectory outer;
  const TemporaryDirectory inner;
  inner.write("file", "inner");
  auto command = confined_shell("cat inner/file; echo x > inner/file || echo refused");
  command.mounts = {
      writable(outer, "/workspace"),
      {.kind = Mount::Kind::kReadOnly, .target = "/workspace/inner", .source = inner.path()}};
  command.working_directory = "/workspace";
  EXPECT_EQ(run_confined(command).value().output, "innerrefused\n");
  EXPECT_EQ(inner.read("file"), "inner");
}

TEST(ConfinedRun, AFileCanBeMounted) {
  const TemporaryDirectory folder;
  auto command = confined_shell("cat /run/settings");
  command.mounts = {{.kind = Mount::Kind::kReadOnly,
                     .target = "/run/settings",
                     .source = folder.write("settings", "here")}};
  EXPECT_EQ(run_confined(command).value().output, "here");
}

TEST(ConfinedRun, AHiddenMountIsEmptyAndUnwritable) {
  const TemporaryDirectory folder;
  folder.write("secret/key", "k");
  auto command = confined_shell("ls secret; touch secret/new || echo refused");
  command.mounts = {writable(folder, "/workspace"),
                    {.kind = Mount::Kind::kHidden, .target = "/workspace/secret"}};
  command.working_directory = "/workspace";
  EXPECT_EQ(run_confined(command).value().output, "refused\n");
}

TEST(ConfinedRun, ATemporaryMountIsItsOwn) {
  auto command = confined_shell("touch /scratch/x && ls /scratch");
  command.mounts = {{.kind = Mount::Kind::kTemporary, .target = "/scratch"}};
  EXPECT_EQ(run_confined(command).value().output, "x\n");
  command = confined_shell("touch /tmp/x /run/x /dev/shm/x /var/tmp/x && echo all");
  EXPECT_EQ(run_confined(command).value().output, "all\n");
}

TEST(ConfinedRun, HasTheUsualDevices) {
  const auto output = run_shell(
      "echo x > /dev/null && head -c 2 /dev/zero | od -An -tx1 && head -c 4 /dev/urandom | wc -c "
      "&& "
      "echo out > /dev/stdout && echo y > /dev/full");
  EXPECT_EQ(output.output, " 00 00\n4\nout\n");
  EXPECT_NE(output.ending.exit_code, 0);
}

TEST(ConfinedRun, TalksToItselfOverTheLoopbackDevice) {
  // 127.0.0.1 answers with a refusal, where a device that is down would be unreachable.
  auto command = confined_shell("");
  command.mounts = {
      {.kind = Mount::Kind::kReadOnly, .target = "/run/probe", .source = test::confine_probe()}};
  command.argv = {"/run/probe", "port:9"};
  EXPECT_EQ(run_confined(command).value().output, "port:9: Connection refused\n");
}

TEST(ConfinedRun, SeesOnlyItsOwnProcesses) {
  // Process 1 and the shell's own; ls itself is the third.
  const auto output = run_shell("ls -d /proc/[0-9]* | wc -l");
  EXPECT_THAT(output.output, ::testing::AnyOf("2\n", "3\n", "4\n"));
}

TEST(ConfinedRun, EndsWhatItStartedInTheBackground) {
  const TemporaryDirectory folder;
  auto command = confined_shell(
      "setsid sh -c 'flock lock sh -c \"touch ready; sleep 1000\"' > /dev/null 2>&1 & "
      "while [ ! -e ready ]; do :; done");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  EXPECT_EQ(run_confined(command).value().ending.exit_code, 0);
  EXPECT_FALSE(is_locked(folder / "lock"));
}

TEST(ConfinedRun, EndsEverythingAtTheDeadline) {
  const TemporaryDirectory folder;
  base::SystemClock clock;
  auto command = confined_shell("echo busy; flock lock sleep 1000");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  const auto result =
      run(test::confine_launcher(), command, "", kLimit, {}, Deadline::after(clock, 300ms));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
  EXPECT_THAT(result.error().message(), HasSubstr("did not end in time"));
  EXPECT_FALSE(is_locked(folder / "lock"));
}

TEST(ConfinedRun, EndsEverythingOnAStopAndTellsTheLastLines) {
  const TemporaryDirectory folder;
  auto command = confined_shell("echo working on it; touch ready; flock lock sleep 1000");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  base::StopSource stop;
  base::Thread stopper("stopper", [&](const base::StopToken&) {
    while (!std::filesystem::exists(folder / "ready")) ::sched_yield();
    stop.request_stop();
  });
  const auto result =
      run(test::confine_launcher(), command, "", kLimit, stop.token(), Deadline::never());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kCancelled);
  EXPECT_THAT(result.error().message(), HasSubstr("working on it"));
  EXPECT_FALSE(is_locked(folder / "lock"));
}

TEST(ConfinedRun, EndsAtTheDeadlineThoughTheOutputsAreClosed) {
  base::SystemClock clock;
  const auto result = run(test::confine_launcher(), confined_shell("exec >&- 2>&-; sleep 1000"), "",
                          kLimit, {}, Deadline::after(clock, 200ms));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
  EXPECT_THAT(result.error().message(), HasSubstr("wrote nothing"));
}

TEST(ConfinedProcess, SpeaksOverItsPipes) {
  auto command = confined_shell("");
  command.argv = {"cat"};
  const auto process = ConfinedProcess::start(test::confine_launcher(), command).value();
  ASSERT_EQ(::write(process->pipes().input.number(), "hello", 5), 5);
  std::string text(5, ' ');
  ASSERT_EQ(::read(process->pipes().output.number(), text.data(), 5), 5);
  EXPECT_EQ(text, "hello");
  process->pipes().input.reset();
  EXPECT_EQ(process->wait().value().exit_code, 0);
  EXPECT_EQ(process->wait().value().exit_code, 0);
}

TEST(ConfinedProcess, RunsOnWhenAWaitIsStopped) {
  const auto process =
      ConfinedProcess::start(test::confine_launcher(), confined_shell("sleep 1000")).value();
  base::SystemClock clock;
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(process->wait(stop.token()).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(process->wait({}, Deadline::after(clock, 1ms)).error().code(),
            ErrorCode::kDeadlineExceeded);
  process->kill();
  const Ending ending = process->wait().value();
  EXPECT_EQ(ending.signal, SIGKILL);
  EXPECT_EQ(ending.exit_code, 128 + SIGKILL);
}

TEST(ConfinedProcess, EndsWithItsHandle) {
  const TemporaryDirectory folder;
  auto command = confined_shell("flock lock sh -c 'touch ready; sleep 1000'");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  {
    const auto process = ConfinedProcess::start(test::confine_launcher(), command).value();
    while (!std::filesystem::exists(folder / "ready")) ::sched_yield();
    EXPECT_TRUE(is_locked(folder / "lock"));
  }
  EXPECT_FALSE(is_locked(folder / "lock"));
}

TEST(ConfinedProcess, NothingSurvivesTheDeathOfItsStarter) {
  const TemporaryDirectory folder;
  auto command = confined_shell("setsid flock lock sh -c 'touch ready; sleep 1000' & sleep 1000");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  test::ChildProcess starter([&] {
    const auto process = ConfinedProcess::start(test::confine_launcher(), command).value();
    static_cast<void>(process->wait());
    return 0;
  });
  while (!std::filesystem::exists(folder / "ready")) ::sched_yield();
  EXPECT_EQ(starter.kill_and_wait(), -SIGKILL);
  wait_for_lock(folder / "lock");
}

// The children of this process.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (!std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front())))
      continue;
    std::ifstream file(entry.path() / "stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string parent = " " + std::to_string(::getpid()) + " ";
    const std::size_t name_end = text.rfind(')');
    // ") S PARENT "
    if (name_end != std::string::npos && text.substr(name_end + 3).starts_with(parent)) {
      found.push_back(std::stoi(entry.path().filename()));
    }
  }
  return found;
}

TEST(ConfinedProcess, NothingSurvivesTheDeathOfItsSupervisor) {
  const TemporaryDirectory folder;
  auto command = confined_shell("setsid flock lock sh -c 'touch ready; sleep 1000' & sleep 1000");
  command.mounts = {writable(folder, "/workspace")};
  command.working_directory = "/workspace";
  const auto process = ConfinedProcess::start(test::confine_launcher(), command).value();
  while (!std::filesystem::exists(folder / "ready")) ::sched_yield();
  const auto supervisors = children();
  ASSERT_EQ(supervisors.size(), 1U);
  ASSERT_EQ(::kill(supervisors.front(), SIGKILL), 0);
  EXPECT_EQ(process->wait().value().signal, SIGKILL);
  wait_for_lock(folder / "lock");
}

TEST(ConfinedProcess, KeepsNoDescriptorOpen) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  ASSERT_TRUE(run_confined(confined_shell("true")).ok());
  const auto before = count();
  ASSERT_TRUE(run_confined(confined_shell("true")).ok());
  auto missing = confined_shell("");
  missing.argv = {"no-such-program"};
  ASSERT_FALSE(run_confined(missing).ok());
  EXPECT_EQ(count(), before);
}

TEST(ConfinedProcess, SaysThatDescriptorsRanOut) {
  EXPECT_EQ(test::in_child([] {
              // The sanitizer needs descriptors of its own the first time it sees an error's type.
              if (ConfinedProcess::start({.argv = {"/no"}}, confined_shell("true")).ok()) return 3;
              const auto first_free = static_cast<rlim_t>(::dup(0));
              ::close(static_cast<int>(first_free));
              for (rlim_t more = 1; more < 8; ++more) {
                const rlimit limit{.rlim_cur = first_free + more, .rlim_max = 4096};
                if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 2;
                const auto result = run_confined(confined_shell("true"));
                if (result.ok() || result.error().code() != ErrorCode::kResourceExhausted) return 1;
              }
              return 0;
            }),
            0);
}

TEST(ConfinedProcess, WorksForAnOrdinaryUser) {
  // Where everybody may read it.
  const TemporaryDirectory folder;
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::others_exec | std::filesystem::perms::owner_all);
  std::filesystem::copy_file(test::confine_supervisor_program(), folder / "supervisor");
  EXPECT_EQ(test::in_unprivileged_child([&] {
              const TemporaryDirectory own;
              auto command = confined_shell("id -u; echo text > file; cat /etc/shadow; ls /root");
              command.mounts = {writable(own, "/workspace")};
              command.working_directory = "/workspace";
              const auto output = run({.argv = {(folder / "supervisor").string()}}, command, "",
                                      kLimit, {}, Deadline::never());
              if (!output.ok()) return 2;
              if (output->output != std::to_string(::geteuid()) + "\n") return 3;
              return own.read("file") == "text\n" ? 0 : 4;
            }),
            0);
}

}  // namespace
}  // namespace clever::confine
