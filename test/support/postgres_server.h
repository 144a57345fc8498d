#pragma once
#include <string>
#include <string_view>
#include <utility>

// PostgreSQL for tests. Each test makes a database of its own:
//
//   const PostgresDatabase database(shared_postgres());
//   open(database.url());
//
// shared_postgres() is the server that ctest started for the whole run (clever_module(… POSTGRES),
// clever_test(… POSTGRES)). Outside ctest it is a server of this process. What would disturb other
// tests, such as a restart, needs a PrivatePostgresServer, which takes about half a second to
// start.
//
// No server outlives the process that started it, not even if that is killed. Whatever fails ends
// the program with a message.
namespace clever::test {

/// Where a server listens, and what can be done to it through a connection. Safe to use from many
/// threads.
class PostgresServer {
 public:
  /// From what the script answers: "ready PORT FOLDER PROGRAMS".
  explicit PostgresServer(const std::string& address);

  /// Through the socket in the server's folder.
  [[nodiscard]] std::string url(std::string_view database) const;
  [[nodiscard]] std::string tcp_url(std::string_view database) const;

  /// Empty, with a name of its own among all that use the server.
  [[nodiscard]] std::string create_database() const;
  /// Like create_database(), but text sorts as people sort it, not by bytes: b before C before d.
  [[nodiscard]] std::string create_database_with_linguistic_order() const;
  /// Whatever is connected to it is disconnected.
  void drop_database(std::string_view database) const;

  /// What psql prints: a line per row, columns separated by |.
  [[nodiscard]] std::string execute(std::string_view database, std::string_view sql) const;
  /// Ends one connection (pg_backend_pid() is its process), or all those to a database.
  void terminate_backend(int process) const;
  void terminate_backends(std::string_view database) const;

  /// Whether somebody listens.
  [[nodiscard]] bool alive() const;
  [[nodiscard]] int port() const { return port_; }

 protected:
  PostgresServer() = default;

 private:
  [[nodiscard]] std::string create_database(std::string_view options) const;

  int port_ = 0;
  std::string folder_;
  std::string programs_;
};

/// A server of its owner alone, gone with it. Used by one thread at a time.
class PrivatePostgresServer : public PostgresServer {
 public:
  PrivatePostgresServer();
  ~PrivatePostgresServer();
  PrivatePostgresServer(const PrivatePostgresServer&) = delete;
  PrivatePostgresServer& operator=(const PrivatePostgresServer&) = delete;

  /// The addresses stay the same.
  void start();
  /// Disconnects everybody and ends in order.
  void stop();
  void restart();
  /// SIGKILL: connections break, and the next start() recovers from the log.
  void stop_hard();
  /// SIGKILL to one connection's process: the server disconnects everybody and recovers.
  void kill_backend(int process);

 private:
  // The script test/support/postgres_server.sh, to which one talks in lines.
  struct Script {
    Script();
    ~Script();
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;
    /// Its answer, which must begin with `expected`.
    std::string ask(std::string_view command, std::string_view expected) const;

    int process = -1;
    int commands = -1;
    int answers = -1;
  };

  Script script_;
};

[[nodiscard]] const PostgresServer& shared_postgres();

/// An empty database for one test, dropped with it.
class PostgresDatabase {
 public:
  explicit PostgresDatabase(const PostgresServer& server)
      : PostgresDatabase(server, server.create_database()) {}
  PostgresDatabase(const PostgresServer& server, std::string name)
      : server_(server), name_(std::move(name)) {}
  ~PostgresDatabase() {
    if (server_.alive()) server_.drop_database(name_);
  }
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string url() const { return server_.url(name_); }
  [[nodiscard]] std::string tcp_url() const { return server_.tcp_url(name_); }
  [[nodiscard]] std::string execute(std::string_view sql) const {
    return server_.execute(name_, sql);
  }

 private:
  const PostgresServer& server_;
  const std::string name_;
};

}  // namespace clever::test
