#include "support/postgres_server.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "io/process.h"

namespace clever::test {
namespace {

constexpr std::string_view kScript = CLEVER_POSTGRES_SCRIPT;
constexpr std::string_view kAddress = CLEVER_POSTGRES_ADDRESS;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "test server of PostgreSQL: %s\n", why.c_str());
  std::abort();
}

// Neither end is inherited by programs that this process starts.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) give_up("no pipe");
  return ends;
}

std::string read_line(int descriptor) {
  std::string line;
  for (char c = 0;;) {
    const ssize_t count = ::read(descriptor, &c, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || c == '\n') return line;
    line += c;
  }
}

std::string address_of_run() {
  std::ifstream in{std::string(kAddress)};
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

PostgresServer::PostgresServer(const std::string& address) {
  std::string ready;
  std::istringstream(address) >> ready >> port_ >> folder_ >> programs_;
}

std::string PostgresServer::url(std::string_view database) const {
  return "postgresql:///" + std::string(database) + "?host=" + folder_ +
         "&port=" + std::to_string(port_) + "&user=clever";
}

std::string PostgresServer::tcp_url(std::string_view database) const {
  return "postgresql://clever@127.0.0.1:" + std::to_string(port_) + "/" + std::string(database);
}

std::string PostgresServer::create_database() const { return create_database(""); }

std::string PostgresServer::create_database_with_linguistic_order() const {
  return create_database(" LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
}

std::string PostgresServer::create_database(std::string_view options) const {
  static std::atomic<int> count = 0;
  const std::string name = "test_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
  (void)execute("postgres",
                "CREATE DATABASE " + name + " TEMPLATE template0" + std::string(options));
  return name;
}

void PostgresServer::drop_database(std::string_view database) const {
  (void)execute("postgres", "DROP DATABASE " + std::string(database) + " WITH (FORCE)");
}

std::string PostgresServer::execute(std::string_view database, std::string_view sql) const {
  const auto result =
      io::run_process({.argv = {programs_ + "/psql", "--no-psqlrc", "--quiet", "--tuples-only",
                                "--no-align", "--set=ON_ERROR_STOP=1", url(database)},
                       .standard_input = std::string(sql)});
  if (!result.ok()) give_up(result.error().sentence());
  if (!result.value().succeeded()) give_up(result.value().error_output + std::string(sql));
  return result.value().output;
}

void PostgresServer::terminate_backend(int process) const {
  (void)execute("postgres", "SELECT pg_terminate_backend(" + std::to_string(process) + ", 10000)");
}

void PostgresServer::terminate_backends(std::string_view database) const {
  (void)execute("postgres",
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '" +
                    std::string(database) + "'");
}

bool PostgresServer::alive() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder_ + "/.s.PGSQL." + std::to_string(port_);
  if (folder_.empty() || path.size() >= sizeof(address.sun_path)) return false;
  path.copy(address.sun_path, path.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const void* any = &address;
  const int status = ::connect(descriptor, static_cast<const sockaddr*>(any), sizeof(address));
  ::close(descriptor);
  return status == 0;
}

PrivatePostgresServer::Script::Script() {
  const auto [command_end, commands_end] = make_pipe();
  const auto [answers_end, answer_end] = make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, command_end, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, answer_end, STDOUT_FILENO);
  std::string script(kScript);
  std::string verb = "run";
  const std::array<char*, 3> argv = {script.data(), verb.data(), nullptr};
  const int error =
      ::posix_spawn(&process, script.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(command_end);
  ::close(answer_end);
  if (error != 0) give_up("cannot run " + script);
  commands = commands_end;
  answers = answers_end;
}

// The script ends by itself when nobody can write to it any more, but copies of this process can.
PrivatePostgresServer::Script::~Script() {
  constexpr std::string_view kEnd = "end\n";
  if (::write(commands, kEnd.data(), kEnd.size()) < 0) give_up("its script is gone");
  ::close(commands);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(answers);
}

std::string PrivatePostgresServer::Script::ask(std::string_view command,
                                               std::string_view expected) const {
  const std::string line = std::string(command) + "\n";
  if (::write(commands, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    give_up("its script is gone");
  }
  const std::string answer = read_line(answers);
  if (!answer.starts_with(expected)) give_up(std::string(command) + ": '" + answer + "'");
  return answer;
}

PrivatePostgresServer::PrivatePostgresServer() {
  PostgresServer::operator=(PostgresServer(script_.ask("start", "ready ")));
}

PrivatePostgresServer::~PrivatePostgresServer() = default;

void PrivatePostgresServer::start() { script_.ask("start", "ready "); }

void PrivatePostgresServer::stop() { script_.ask("stop", "stopped"); }

void PrivatePostgresServer::restart() {
  stop();
  start();
}

void PrivatePostgresServer::stop_hard() { script_.ask("kill", "stopped"); }

void PrivatePostgresServer::kill_backend(int process) {
  if (::kill(process, SIGKILL) != 0) give_up("no process " + std::to_string(process));
}

const PostgresServer& shared_postgres() {
  static const auto server = []() -> std::shared_ptr<const PostgresServer> {
    const PostgresServer of_run(address_of_run());
    if (of_run.alive()) return std::make_shared<const PostgresServer>(of_run);
    return std::make_shared<const PrivatePostgresServer>();
  }();
  return *server;
}

}  // namespace clever::test
