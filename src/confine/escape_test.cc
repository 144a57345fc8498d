// Every known way out, tried from inside. What is tried must be refused or do nothing outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "confine/confined_process.h"
#include "io/environment.h"
#include "support/confine_launcher.h"
#include "support/temporary_directory.h"

namespace clever::confine {
namespace {

using test::confined_shell;
using test::run_confined;
using test::TemporaryDirectory;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// /workspace may be written; /outside is a folder of the host that everybody may see, and /kept is
// hidden.
class Escape : public ::testing::Test {
 protected:
  Escape() {
    workspace_.write("file", "inside");
    outside_.write("file", "outside");
    std::filesystem::permissions(outside_ / "file", std::filesystem::perms::all);
    std::filesystem::permissions(outside_.path(), std::filesystem::perms::all);
  }
  ~Escape() override {
    EXPECT_EQ(outside_.read("file"), "outside");
    EXPECT_EQ(outside_.names(), std::vector<std::string>{"file"});
    EXPECT_EQ(std::filesystem::status(outside_ / "file").permissions(),
              std::filesystem::perms::all);
  }

  [[nodiscard]] Command command(std::string script) const {
    Command made = confined_shell(std::move(script));
    made.working_directory = "/workspace";
    made.mounts = {
        {.kind = Mount::Kind::kWritable, .target = "/workspace", .source = workspace_.path()},
        {.kind = Mount::Kind::kReadOnly, .target = "/outside", .source = outside_.path()},
        {.kind = Mount::Kind::kReadOnly, .target = "/run/probe", .source = test::confine_probe()}};
    return made;
  }
  [[nodiscard]] Output run(std::string script) const {
    return run_confined(command(std::move(script))).value();
  }
  void expect_refused(std::string script) const {
    const Output output = run(std::move(script));
    EXPECT_NE(output.ending.exit_code, 0) << output.output;
  }
  [[nodiscard]] Output probe(std::vector<std::string> tricks) const {
    Command made = command("");
    made.argv = {"/run/probe"};
    made.argv.insert(made.argv.end(), tricks.begin(), tricks.end());
    return run_confined(made).value();
  }

  TemporaryDirectory workspace_;
  TemporaryDirectory outside_;
};

TEST_F(Escape, NoSystemCallLeadsOut) {
  const Output output = probe({"all"});
  EXPECT_EQ(output.ending.exit_code, 0) << output.output << output.error_output;
  EXPECT_THAT(output.output, HasSubstr("mount: Operation not permitted"));
  EXPECT_THAT(output.output, Not(HasSubstr("WORKED")));
}

TEST_F(Escape, TheHostCannotBeWritten) {
  for (const char* place : {"/", "/usr", "/etc", "/var", "/opt", "/outside", "/bin", "/home",
                            "/root", "/sys", "/proc", "/dev"}) {
    expect_refused("touch " + std::string(place) + "/clever-escape");
    std::error_code unreachable;
    EXPECT_FALSE(
        std::filesystem::exists(std::filesystem::path(place) / "clever-escape", unreachable));
  }
}

TEST_F(Escape, FilesOfTheHostCannotBeChanged) {
  for (const char* change :
       {"echo x > /outside/file", "echo x >> /outside/file", "truncate -s 0 /outside/file",
        "chmod 600 /outside/file", "rm -f /outside/file", "mv /outside/file /outside/other",
        "mv /outside/file /workspace/", "touch /outside/new", "mkdir /outside/new",
        "ln -s x /outside/new", "ln /workspace/file /outside/new",
        "touch -d 2001-01-01 /outside/file", "dd if=/dev/zero of=/outside/file count=1 2>/dev/null",
        "mkfifo /outside/new", "cp /workspace/file /outside/file", "chown 12345 /outside/file"}) {
    expect_refused(change);
  }
}

TEST_F(Escape, ALinkInTheWorkspaceDoesNotLeadOut) {
  expect_refused("ln -s /outside/file link && echo x > link");
  expect_refused("ln -s /outside folder && touch folder/new");
  expect_refused("ln -s ../../../../outside up && touch up/new");
  expect_refused("ln -s /etc/passwd password && echo x >> password");
  expect_refused("ln -s /proc/1/root first && touch first/clever-escape && ls /clever-escape");
}

TEST_F(Escape, AnAbsoluteLinkToTheHostIsResolvedInside) {
  const TemporaryDirectory secret;
  secret.write("key", "secret");
  std::filesystem::create_symlink(secret / "key", workspace_ / "link");
  const Output output = run("cat link; echo x > link");
  EXPECT_EQ(output.output, "");
  EXPECT_EQ(secret.read("key"), "secret");
}

TEST_F(Escape, AHardLinkFromOutsideIsRefused) {
  expect_refused("ln /outside/file /workspace/stolen && echo x > /workspace/stolen");
}

TEST_F(Escape, HomesAreInvisible) {
  EXPECT_EQ(run("ls -A /root /home").output, "/home:\n\n/root:\n");
  const std::filesystem::path home = io::user_home(io::Environment::of_process());
  if (home != "/") {
    EXPECT_EQ(run("ls -A " + home.string() + " 2>/dev/null").output, "");
  }
}

TEST_F(Escape, HiddenTextIsInvisible) {
  // Below a place that is otherwise shown.
  Command made = command("ls -A /outside/secrets; cat /outside/secrets/key /outside/plain");
  const TemporaryDirectory shown;
  shown.write("secrets/key", "k");
  shown.write("plain", "p");
  made.mounts[1].source = shown.path();
  made.mounts.push_back({.kind = Mount::Kind::kHidden, .target = "/outside/secrets"});
  EXPECT_EQ(run_confined(made).value().output, "p");
}

TEST_F(Escape, AHiddenFolderOfTheHostIsEmpty) {
  Command made = command("ls -A /usr/share/doc | wc -l; touch /usr/share/doc/x || echo refused");
  made.hidden = {"/usr/share/doc"};
  EXPECT_EQ(run_confined(made).value().output, "0\nrefused\n");
}

TEST_F(Escape, AHiddenFileCannotBeRead) {
  Command made = command("cat /etc/passwd || echo refused");
  made.hidden = {"/etc/passwd"};
  EXPECT_EQ(run_confined(made).value().output, "refused\n");
}

TEST_F(Escape, PasswordsOfTheHostAreUnreadable) {
  expect_refused("cat /etc/shadow");
  expect_refused("cat /etc/ssh/*_key");
}

TEST_F(Escape, TemporaryFilesOfTheHostAreInvisible) {
  const TemporaryDirectory secret;
  EXPECT_EQ(run("ls -A /tmp /var/tmp /dev/shm").output, "/dev/shm:\n\n/tmp:\n\n/var/tmp:\n");
}

TEST_F(Escape, SocketsOfTheHostAreInvisible) {
  EXPECT_EQ(run("ls -A /run /var/run/").output, "/run:\nprobe\n\n/var/run/:\nprobe\n");
}

TEST_F(Escape, DataOfServicesIsInvisible) {
  EXPECT_EQ(run("ls -A /var/log /var/spool /sys/kernel/debug 2>/dev/null | grep -v : | tr -d '\\n'")
                .output,
            "");
}

TEST_F(Escape, ProcessesOfTheHostAreInvisible) {
  const std::string self = std::to_string(::getpid());
  expect_refused("kill -0 " + self);
  EXPECT_EQ(run("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").output.find("confine_test"),
            std::string::npos);
  EXPECT_EQ(run("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ^HOME=").output, "");
}

TEST_F(Escape, TheSupervisorGivesNothingAway) {
  for (const char* file : {"environ", "maps", "mem", "auxv", "stack", "fdinfo/3"}) {
    expect_refused("cat /proc/1/" + std::string(file));
  }
  for (const char* link : {"root", "cwd", "exe", "fd/3", "ns/mnt"}) {
    expect_refused("readlink /proc/1/" + std::string(link));
  }
  expect_refused("ls /proc/1/root/");
}

TEST_F(Escape, TheKernelsSettingsCannotBeWritten) {
  for (const char* file :
       {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches",
        "/proc/sysrq-trigger", "/proc/sys/kernel/pid_max", "/sys/kernel/uevent_helper",
        "/sys/power/state", "/proc/self/uid_map", "/proc/self/oom_score_adj"}) {
    expect_refused("echo 1 > " + std::string(file));
  }
}

TEST_F(Escape, DevicesOfTheHostAreInvisible) {
  EXPECT_EQ(run("ls /dev").output,
            "fd\nfull\nnull\nptmx\npts\nrandom\nshm\nstderr\nstdin\nstdout\ntty\nurandom\nzero\n");
  expect_refused("mknod disk b 8 0");
  expect_refused("head -c 1 /dev/mem");
}

TEST_F(Escape, ASetUserProgramGivesNothing) {
  EXPECT_EQ(run("grep NoNewPrivs /proc/self/status").output, "NoNewPrivs:\t1\n");
  EXPECT_EQ(run("grep ^Cap /proc/self/status | cut -f 2 | sort -u").output, "0000000000000000\n");
  expect_refused("cp /bin/sh own && chmod u+s own && su -c id nobody < /dev/null");
}

TEST_F(Escape, NamespacesCannotBeMade) {
  for (const char* tool :
       {"unshare -U true", "unshare -m true", "unshare -r sh -c 'mount -t tmpfs x /tmp'",
        "nsenter -t 1 -m true", "chroot /workspace /bin/true", "mount -t tmpfs x /tmp",
        "mount --bind /workspace /usr", "umount /proc", "umount -l /home",
        "mount -o remount,rw /"}) {
    expect_refused(tool);
  }
}

TEST_F(Escape, AbstractSocketsOfTheHostAreOutOfReach) {
  const std::string name = "clever-escape-" + std::to_string(::getpid());
  const io::FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  EXPECT_EQ(probe({"abstract:" + name}).ending.exit_code, 0);
}

TEST_F(Escape, PortsOfTheHostAreOutOfReach) {
  const io::FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(listener.number(), raw, size), 0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  ASSERT_EQ(::getsockname(listener.number(), raw, &size), 0);
  const std::string port = "port:" + std::to_string(ntohs(address.sin_port));
  const Output off = probe({port});
  EXPECT_EQ(off.output, port + ": Connection refused\n");
  Command on = command("");
  on.argv = {"/run/probe", port};
  on.network = Network::kOn;
  EXPECT_EQ(run_confined(on).value().output, port + ": WORKED\n");
}

TEST_F(Escape, NamesAreNotResolved) {
  const Output output = run("getent hosts example.org");
  EXPECT_NE(output.ending.exit_code, 0);
  EXPECT_EQ(output.output, "");
}

TEST_F(Escape, TheEnvironmentHoldsNoKey) {
  ::setenv("CLEVER_TEST_API_KEY", "sk-secret", 1);
  EXPECT_THAT(run("env; cat /proc/self/environ /proc/1/environ").output,
              Not(HasSubstr("sk-secret")));
  ::unsetenv("CLEVER_TEST_API_KEY");
}

TEST_F(Escape, NoDescriptorIsInherited) {
  const io::FileDescriptor leaky(::dup(STDERR_FILENO));
  // ls itself opens the folder that it lists as 3.
  EXPECT_EQ(run("ls /proc/self/fd").output, "0\n1\n2\n3\n");
}

TEST_F(Escape, ADoubleForkDoesNotSurvive) {
  const Output output =
      run("(setsid sh -c 'trap \"\" HUP TERM; (sleep 1000 &) ; sleep 1000' &) ; echo done");
  EXPECT_EQ(output.output, "done\n");
}

TEST_F(Escape, AForkBombIsBounded) {
  Command bomb =
      command("i=0; while [ $i -lt 2000 ]; do sleep 100 & i=$((i+1)); done 2>/dev/null; echo all");
  bomb.limits.processes = 50;
  const Output output = run_confined(bomb).value();
  EXPECT_EQ(output.output, "");
  EXPECT_NE(output.ending.exit_code, 0);
}

TEST_F(Escape, TheMemoryOfAllProcessesIsBounded) {
  // Each of them takes little, and keeps it: however slowly they come to it, all hold it at the
  // end.
  Command made = command(
      "for i in 1 2 3 4 5 6 7 8; do "
      "{ held=$(head -c 50000000 /dev/zero | tr '\\0' a); sleep 1000; : \"$held\"; } & done; wait");
  made.limits.total_memory = 200'000'000;
  const Output output = run_confined(made).value();
  EXPECT_EQ(output.ending.signal, SIGKILL);
  EXPECT_THAT(output.ending.remark, HasSubstr("used more memory than sandbox.memory allows"));
}

TEST_F(Escape, FilesInMemoryAreBounded) {
  for (const std::string place : {"/tmp", "/dev/shm"}) {
    Command made = command("head -c 100000000 /dev/zero > " + place + "/x; sleep 1000");
    made.limits.total_memory = 50'000'000;
    EXPECT_THAT(run_confined(made).value().ending.remark, HasSubstr("sandbox.memory")) << place;
  }
}

TEST_F(Escape, OutputIsBounded) {
  Command made = command(
      "exec > /dev/null 2>&1; i=0; while head -c 1000000 /dev/zero > f$i; do "
      "i=$((i+1)); done; sleep 1000");
  made.limits.disk = 20'000'000;
  const Output output = run_confined(made).value();
  EXPECT_EQ(output.ending.signal, SIGKILL);
  EXPECT_THAT(output.ending.remark, HasSubstr("wrote more than sandbox.disk allows"));
}

TEST_F(Escape, TheNumberOfFilesIsBounded) {
  Command made = command("i=0; while : > f$i; do i=$((i+1)); done");
  made.limits.files = 500;
  EXPECT_THAT(run_confined(made).value().ending.remark,
              HasSubstr("made more files than sandbox.files allows (500"));
}

TEST_F(Escape, AHugeFileIsBounded) {
  Command made = command("head -c 10000000 /dev/zero > big; echo $?");
  made.limits.file_size = 1'000'000;
  const Output output = run_confined(made).value();
  EXPECT_EQ(std::filesystem::file_size(workspace_ / "big"), 1'000'000U);
}

TEST_F(Escape, AHugeAllocationIsBounded) {
  Command made = command("head -c 300000000 /dev/zero | tail -n 1 | wc -c");
  made.limits.memory = 100'000'000;
  const Output output = run_confined(made).value();
  // A supervisor with AddressSanitizer cannot even start a shell with so little.
  EXPECT_THAT(output.error_output, AnyOf(HasSubstr("memory"), HasSubstr("Failed to mmap")));
}

TEST_F(Escape, ProcessorTimeIsBounded) {
  Command made = command("while :; do :; done");
  made.limits.cpu = std::chrono::seconds(1);
  const Output output = run_confined(made).value();
  EXPECT_EQ(output.ending.exit_code, 128 + SIGXCPU);
  EXPECT_EQ(output.ending.remark, "used up its processor time of 1 s");
}

TEST_F(Escape, OpenFilesAreBounded) {
  Command made = command("ulimit -n");
  made.limits.open_files = 77;
  EXPECT_EQ(run_confined(made).value().output, "77\n");
}

TEST_F(Escape, NoCoreIsDumped) {
  EXPECT_EQ(run("ulimit -c; ulimit -c 1000 && echo raised").output, "0\n");
}

}  // namespace
}  // namespace clever::confine
