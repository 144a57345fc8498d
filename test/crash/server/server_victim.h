#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "crash/engine/victim.h"
#include "support/repository.h"

namespace clever::server::crash {

/// The status and the body of an answer.
struct Reply {
  int status = 0;
  std::string body{};
};

/// `agents server` on a project of its own, which is killed and started again. Started and killed
/// by one thread; ask() by many.
class ServerVictim {
 public:
  ServerVictim();

  /// Starts it and waits until it can work; false: it died before that, at `crash_at` (a crash
  /// point and the number of the pass, "server.done:3"; empty: nowhere).
  bool start(const std::string& crash_at = "");
  void kill() { process_->kill(); }
  /// Lets it work for a while; true if it ended meanwhile.
  bool work(std::chrono::microseconds time) { return process_->work(time); }

  /// One request on a connection of its own. None: the server died before its answer was whole.
  [[nodiscard]] std::optional<Reply> ask(std::string_view method, const std::string& target,
                                         const std::string& headers = "",
                                         const std::string& body = "") const;

  [[nodiscard]] const std::filesystem::path& project() const { return repository_.path(); }
  /// Adds to the settings of the home.
  void configure(std::string_view text) const;

 private:
  [[nodiscard]] bool is_ready() const;

  test::Repository repository_;
  const std::filesystem::path home_;
  std::unique_ptr<engine::crash::Victim> process_;
};

}  // namespace clever::server::crash
