#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "io/file.h"
#include "model/document_json.h"
#include "support/cli_run.h"
#include "support/raw_client.h"

namespace clever::test {

/// An answer as it came.
struct ServerAnswer {
  int status = 0;
  std::string head{};
  std::string body{};
};

/// What a server works with in place of fakes; outlives it.
struct ServerParts {
  service::Databases* databases = nullptr;
  service::Models* models = nullptr;
  base::Clock* clock = nullptr;
};

/// `agents server` in this process, on a port of its own, until it is destroyed. Processes in the
/// background are not started but noted. Used by one thread; ask() by many.
class ServerRun {
 public:
  explicit ServerRun(std::vector<std::string> options = {}, io::Environment::Entries variables = {},
                     ServerParts parts = {})
      : options_(std::move(options)), variables_(std::move(variables)), parts_(parts) {
    std::filesystem::create_directories(work());
    models_.plays_scripts = true;
    start();
  }
  ~ServerRun() {
    if (thread_) stop();
  }
  ServerRun(const ServerRun&) = delete;
  ServerRun& operator=(const ServerRun&) = delete;

  /// SIGTERM, and the exit code.
  int stop() {
    stop_.request_stop();
    thread_->join();
    thread_.reset();
    return exit_code_;
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& first_line() const { return first_line_; }
  [[nodiscard]] std::filesystem::path home() const { return folder_ / "home"; }
  [[nodiscard]] std::filesystem::path work() const { return folder_ / "work"; }
  [[nodiscard]] const TemporaryDirectory& folder() const { return folder_; }
  [[nodiscard]] std::string token() const {
    return io::read_file(home() / "server.token").value().substr(0, 64);
  }
  /// Another command line beside the server, with the same home; its exit code.
  int command(const std::vector<std::string>& arguments) {
    CliDatabases databases(clock());
    service::Surroundings beside = surroundings_;
    if (parts_.databases == nullptr) beside.databases = &databases;
    beside.interruption = [] { return base::StopToken(); };
    beside.hangups = {};
    const auto silent = [](std::string_view) { return base::Result<void>(); };
    return static_cast<int>(cli::run(cli::command_tree(), arguments, beside,
                                     {.output = silent, .error_output = silent}));
  }
  /// SIGHUP; returns what the server says about it.
  std::string hang_up() {
    const std::size_t before = output_.read([](const std::string& all) { return all.size(); });
    hangup_.with([](const auto& note) { return note; })();
    const auto has_line = [before](const std::string& all) {
      return all.find('\n', before) != std::string::npos;
    };
    output_.wait({}, base::Deadline::never(), has_line).value();
    return output_.read([before](const std::string& all) { return all.substr(before); });
  }
  [[nodiscard]] CliModels& models() { return models_; }
  /// The arguments of processes that were to be started.
  [[nodiscard]] std::vector<std::vector<std::string>> background() const {
    return background_.read([](const auto& all) { return all; });
  }

  /// One request on a connection of its own, with the token.
  [[nodiscard]] ServerAnswer ask(std::string_view method, std::string_view target,
                                 std::string_view body = {}, std::string_view headers = {}) const {
    return ask_as("Authorization: Bearer " + token() + "\r\n" + std::string(headers), method,
                  target, body);
  }
  /// The same without it.
  [[nodiscard]] ServerAnswer ask_as(std::string_view headers, std::string_view method,
                                    std::string_view target, std::string_view body = {}) const {
    RawClient client(port_);
    client.send(request(method, target, headers, body));
    std::string text = client.read_all();
    ServerAnswer answer;
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos || text.size() < 12) return answer;
    answer.status = std::stoi(text.substr(9, 3));
    answer.head = text.substr(0, end);
    answer.body = text.substr(end + 4);
    return answer;
  }

  [[nodiscard]] static std::string request(std::string_view method, std::string_view target,
                                           std::string_view headers, std::string_view body = {}) {
    std::string text = std::string(method) + " " + std::string(target) +
                       " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                       std::string(headers);
    if (!body.empty()) {
      text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
              "\r\n";
    }
    return text + "\r\n" + std::string(body);
  }

 private:
  base::Clock& clock() { return parts_.clock == nullptr ? clock_ : *parts_.clock; }
  void start() {
    io::Environment::Entries environment{{"CLEVERAGENTS_HOME", home().string()},
                                         {"HOME", folder_.path().string()},
                                         {"PATH", "/usr/bin:/bin"}};
    environment.insert(variables_.begin(), variables_.end());
    surroundings_ = {.environment = io::Environment(std::move(environment)),
                     .working_directory = work(),
                     .clock = &clock(),
                     .databases = parts_.databases == nullptr ? &databases_ : parts_.databases,
                     .models = parts_.models == nullptr ? &models_ : parts_.models,
                     .launcher = confine_launcher(),
                     .interruption = [this] { return stop_.token(); },
                     .insistence = [] { return base::StopToken(); },
                     .hangups =
                         [this](std::function<void()> note) {
                           hangup_.with([&](auto& known) { known = std::move(note); });
                         },
                     .background =
                         [this](const std::vector<std::string>& arguments,
                                const std::filesystem::path&, const std::filesystem::path&) {
                           background_.update([&](auto& all) { all.push_back(arguments); });
                           return base::Result<std::int64_t>(1);
                         }};
    console_.output = [this](std::string_view text) {
      output_.update([text](std::string& all) { all.append(text); });
      return base::Result<void>();
    };
    console_.error_output = console_.output;
    std::vector<std::string> arguments{"server", "--listen", "127.0.0.1:0", "--format", "json"};
    arguments.insert(arguments.end(), options_.begin(), options_.end());
    thread_.emplace("server run", [this, arguments](const base::StopToken&) {
      exit_code_ =
          static_cast<int>(cli::run(cli::command_tree(), arguments, surroundings_, console_));
      output_.update([](std::string& all) { all.append("\n"); });
    });
    output_
        .wait({}, base::Deadline::never(),
              [](const std::string& all) { return all.contains('\n'); })
        .value();
    first_line_ =
        output_.read([](const std::string& all) { return all.substr(0, all.find('\n')); });
    const std::size_t at = first_line_.find("127.0.0.1:");
    ASSERT_NE(at, std::string::npos) << first_line_;
    port_ = std::stoi(first_line_.substr(at + 10));
  }

  const std::vector<std::string> options_;
  const io::Environment::Entries variables_;
  const ServerParts parts_;
  TemporaryDirectory folder_;
  base::SystemClock clock_;
  CliDatabases databases_{clock()};
  CliModels models_;
  base::StopSource stop_;
  base::Monitor<std::vector<std::vector<std::string>>> background_;
  base::Monitor<std::string> output_;
  base::Guarded<std::function<void()>> hangup_;
  service::Surroundings surroundings_;
  cli::Console console_;
  std::string first_line_;
  int port_ = 0;
  int exit_code_ = -1;
  std::optional<base::Thread> thread_;
};

}  // namespace clever::test
