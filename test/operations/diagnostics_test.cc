#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>

#include "cli/words.h"
#include "io/file_descriptor.h"
#include "service/diagnostics/sections.h"
#include "support/child_process.h"
#include "support/cli_run.h"

namespace clever::cli {
namespace {

using test::CliRun;
using testing::HasSubstr;
using testing::Not;

void make_home(const CliRun& cli, mode_t mode) {
  std::filesystem::create_directory(cli.home());
  ASSERT_EQ(::chmod(cli.home().c_str(), mode), 0);
}

TEST(DiagnosticsTest, ChangesNothing) {
  CliRun cli;
  EXPECT_EQ(cli.run({"diagnostics"}), 0);
  EXPECT_FALSE(std::filesystem::exists(cli.home()));
  EXPECT_THAT(cli.output,
              HasSubstr("home/directory: " + cli.home().string() + " will be created when"));
}

TEST(DiagnosticsTest, DoctorIsTheSame) {
  CliRun cli;
  EXPECT_EQ(cli.run({"doctor", "--format", "json"}), 0);
  EXPECT_THAT(cli.output, HasSubstr(R"("command":"diagnostics","status":"warn","exit_code":0)"));
  EXPECT_THAT(cli.output, HasSubstr(R"({"name":"toolchain","checks":[{"name":"version",)"));
  EXPECT_THAT(cli.output, HasSubstr(R"("fail":0})"));
}

TEST(DiagnosticsTest, NamesProvidersAndNeverTheirKeys) {
  CliRun cli;
  cli.set("OPENAI_API_KEY", "sk-verysecret-0123456789");
  cli.set("GROQ_API_KEY", "");
  cli.set("AZURE_OPENAI_API_KEY", "another-secret");
  for (const char* format : {"plain", "rich", "table", "json", "yaml"}) {
    EXPECT_EQ(cli.run({"diagnostics", "--format", format}), 0);
    EXPECT_THAT(cli.output, HasSubstr("OPENAI_API_KEY set"));
    EXPECT_THAT(cli.output, Not(HasSubstr("secret")));
  }
  cli.run({"diagnostics"});
  EXPECT_THAT(cli.output, HasSubstr("warn providers/groq: GROQ_API_KEY is empty\n"));
  EXPECT_THAT(cli.output, HasSubstr("warn providers/azure: AZURE_OPENAI_API_KEY set, but not "
                                    "AZURE_OPENAI_ENDPOINT\n"));
}

TEST(DiagnosticsTest, APrivateHomeIsFine) {
  CliRun cli;
  make_home(cli, 0700);
  EXPECT_EQ(cli.run({"diagnostics"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("ok   home/permissions: rwx------, owner "));
  EXPECT_THAT(cli.output, HasSubstr("ok   home/writable: yes\n"));
}

TEST(DiagnosticsTest, AnOpenHomeIsAWarning) {
  CliRun cli;
  make_home(cli, 0755);
  EXPECT_EQ(cli.run({"diagnostics"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("warn home/permissions: rwxr-xr-x"));
  EXPECT_THAT(cli.output, HasSubstr("(chmod 700 "));
}

TEST(DiagnosticsTest, AHomeThatIsAFileFails) {
  CliRun cli;
  cli.folder().write("home", "");
  EXPECT_EQ(cli.run({"diagnostics", "--format", "json"}), 1);
  EXPECT_THAT(cli.output, HasSubstr(R"("status":"error","exit_code":1)"));
  EXPECT_THAT(cli.output, HasSubstr("is not a directory"));
}

TEST(DiagnosticsTest, AHomeThatCannotBeMadeFails) {
  CliRun cli;
  cli.set("CLEVERAGENTS_HOME", "/proc/self/home");
  EXPECT_EQ(test::in_unprivileged_child([&cli] { return cli.run({"diagnostics"}); }), 1);
}

TEST(DiagnosticsTest, AHomeWithoutWritePermissionFails) {
  CliRun cli;
  make_home(cli, 0555);
  ::chmod(cli.folder().path().c_str(), 0755);
  EXPECT_EQ(
      test::in_unprivileged_child([&cli] {
        const int code = cli.run({"diagnostics"});
        return code == 1 && cli.output.find("fail home/writable: no") != std::string::npos ? 1 : 0;
      }),
      1);
}

TEST(DiagnosticsTest, AHomeOutOfReachFails) {
  CliRun cli;
  make_home(cli, 0700);
  ::chmod(cli.folder().path().c_str(), 0);
  EXPECT_EQ(test::in_unprivileged_child([&cli] { return cli.run({"diagnostics"}); }), 1);
}

TEST(DiagnosticsTest, BrokenSettingsAreOneFailure) {
  CliRun cli;
  cli.folder().write("home/config.toml", "oops\n");
  EXPECT_EQ(cli.run({"diagnostics"}), 1);
  EXPECT_THAT(cli.output, HasSubstr("fail settings/content: "));
  EXPECT_THAT(cli.output, HasSubstr("config.toml:1"));
}

TEST(DiagnosticsTest, ShowsTheProjectsFileAndTheModel) {
  CliRun cli;
  cli.folder().write("work/.cleveragents/config.toml", "model.default = \"a/b\"\n");
  EXPECT_EQ(cli.run({"diagnostics"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("ok   settings/model: a/b\n"));
  EXPECT_THAT(cli.output, HasSubstr("ok   settings/project file: "));
}

std::string database_line(CliRun& cli, const std::string& url) {
  cli.set("CLEVERAGENTS_DATABASE_URL", url);
  cli.run({"diagnostics"});
  const std::size_t at = cli.output.find("database/reachable");
  return cli.output.substr(at - 5, cli.output.find('\n', at) - at + 5);
}

TEST(DiagnosticsTest, LooksAtTheSqliteFile) {
  CliRun cli;
  const std::string url = "sqlite:" + (cli.folder() / "x.db").string();
  EXPECT_EQ(database_line(cli, url), "ok   database/reachable: not created yet");
  cli.folder().write("x.db", "");
  EXPECT_EQ(database_line(cli, url), "ok   database/reachable: empty");
  cli.run({"db", "migrate"});
  EXPECT_EQ(database_line(cli, url), "ok   database/reachable: schema version 14");
  cli.folder().write("x.db", "hello");
  EXPECT_THAT(database_line(cli, url), HasSubstr("it is no database"));
  EXPECT_THAT(database_line(cli, "sqlite:" + cli.work().string()), HasSubstr("is a directory"));
  EXPECT_EQ(database_line(cli, "sqlite::memory:"), "ok   database/reachable: in memory");
}

TEST(DiagnosticsTest, ShowsOneSpellingOfTheDatabase) {
  CliRun cli;
  const auto shown = [&](const std::string& url) {
    cli.set("CLEVERAGENTS_DATABASE_URL", url);
    cli.run({"diagnostics"});
    const std::size_t at = cli.output.find("database/url: ") + 14;
    return cli.output.substr(at, cli.output.find('\n', at) - at);
  };
  EXPECT_EQ(shown("sqlite:///y/../x.db"), "sqlite:" + (cli.work() / "x.db").string());
  EXPECT_EQ(shown("postgres://me:hunter2@[::1]/x"), "postgresql://me@[::1]:5432/x");
  EXPECT_THAT(shown("mysql://me:hunter2@db"), HasSubstr("mysql://me:[redacted]@db"));
}

TEST(DiagnosticsTest, AnUnknownDatabaseFails) {
  CliRun cli;
  EXPECT_THAT(database_line(cli, "mysql://me:hunter2@db"), HasSubstr("neither sqlite:PATH nor"));
  EXPECT_THAT(cli.output, Not(HasSubstr("hunter2")));
}

TEST(DiagnosticsTest, ConnectsToASocketAndShowsNoPassword) {
  CliRun cli;
  const auto path = cli.folder() / ".s.PGSQL.5432";
  const std::string url = "postgresql://me:hunter2@/agents?host=" + cli.folder().path().string();
  EXPECT_THAT(database_line(cli, url), HasSubstr("fail database/reachable: cannot connect"));

  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path.native(), static_cast<char*>(address.sun_path));
  const io::FileDescriptor server(::socket(AF_UNIX, SOCK_STREAM, 0));
  const void* bytes = &address;
  ASSERT_EQ(::bind(server.number(), static_cast<const sockaddr*>(bytes), sizeof address), 0);
  ASSERT_EQ(::listen(server.number(), 1), 0);
  EXPECT_EQ(database_line(cli, url), "ok   database/reachable: takes connections");
  EXPECT_THAT(cli.output, Not(HasSubstr("hunter2")));
}

TEST(DiagnosticsTest, ARefusedPortFails) {
  CliRun cli;
  // The discard port of the loopback interface: reserved, and nothing listens there.
  EXPECT_THAT(database_line(cli, "postgresql://127.0.0.1:9/x"),
              HasSubstr("fail database/reachable: cannot connect to 127.0.0.1 port 9"));
}

TEST(DiagnosticsTest, TellsARepositoryFromNone) {
  CliRun cli;
  EXPECT_EQ(cli.run({"diagnostics"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("ok   git/command: git version "));
  EXPECT_THAT(cli.output, HasSubstr("ok   git/repository: none here\n"));
}

TEST(DiagnosticsTest, SaysWhatConfinementHas) {
  CliRun cli;
  EXPECT_EQ(cli.run({"diagnostics"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("ok   confinement/mount namespaces: works\n"));
}

TEST(DiagnosticsTest, RequiredConfinementThatIsMissingFails) {
  CliRun cli;
  cli.launcher.argv = {"/nonexistent"};
  EXPECT_EQ(cli.run({"diagnostics"}), 1);
  EXPECT_THAT(cli.output,
              HasSubstr("fail confinement/the supervisor of commands: cannot run /nonexistent"));
  EXPECT_THAT(cli.output, HasSubstr("--unconfined"));
}

TEST(ReadableTest, Sizes) {
  EXPECT_EQ(service::readable_size(0), "0 B");
  EXPECT_EQ(service::readable_size(1023), "1023 B");
  EXPECT_EQ(service::readable_size(1536), "1.5 KiB");
  EXPECT_EQ(service::readable_size(std::uint64_t{12} << 30U), "12 GiB");
  EXPECT_EQ(service::readable_size(std::uint64_t{5000} << 40U), "5000 TiB");
}

TEST(ReadableTest, Modes) {
  EXPECT_EQ(service::readable_mode(0700), "rwx------");
  EXPECT_EQ(service::readable_mode(0644), "rw-r--r--");
  EXPECT_EQ(service::readable_mode(0), "---------");
}

}  // namespace
}  // namespace clever::cli
