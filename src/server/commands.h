#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/lazy.h"
#include "base/stop_token.h"
#include "base/strand.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "http/message.h"
#include "http/responder.h"
#include "model/document.h"
#include "server/client_command.h"
#include "server/operations.h"
#include "server/problem.h"
#include "service/access/projects.h"
#include "service/caller.h"
#include "service/live.h"
#include "service/screen.h"
#include "service/wire/wire_request.h"
#include "storage/engine.h"

namespace clever::server {

/// Draws what plans do for a client's terminal, with the functions of this screen.
using MakeLive = std::unique_ptr<service::LiveDisplay> (*)(service::Screen screen,
                                                           base::Clock& clock,
                                                           const service::LiveOptions& options);

/// The commands of command lines that name this server: any operation, with a screen at the client.
/// Each has a thread while it works.
///
/// Thread-safe. What it was given must outlive it. The destructor interrupts all commands and waits
/// for them; it must not run on a thread of the pool.
class Commands {
 public:
  struct Parts {
    const Operations& operations;
    const service::Projects& projects;
    base::Clock& clock;
    base::ThreadPool& pool;
    base::TimerQueue& timers;
    /// Null: plans work unseen.
    MakeLive make_live = nullptr;
    /// Returns whether the token of this id is still valid. Asked again whenever rights change.
    std::function<bool(const std::string& token)> admits{};
  };
  explicit Commands(const Parts& parts);
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  /// Does what the body asks for, under the id in Idempotency-Key; one that is there already is
  /// only attached to. The problem if it cannot begin: then the request is not answered.
  [[nodiscard]] std::optional<Problem> begin(const http::Request& request,
                                             const service::Caller& caller,
                                             http::Responder& responder);
  /// Streams the events behind `after`.
  [[nodiscard]] std::optional<Problem> attach(const std::string& id, std::int64_t after,
                                              const service::Caller& caller,
                                              http::Responder& responder);
  [[nodiscard]] Answer answer(const std::string& id, const model::Document& body,
                              const service::Caller& caller);
  /// Keys for a view of the command.
  [[nodiscard]] Answer type(const std::string& id, const model::Document& body,
                            const service::Caller& caller);
  [[nodiscard]] Answer interrupt(const std::string& id, const service::Caller& caller);

  /// Interrupts all; no more begin.
  void drain();

 private:
  using Command = std::shared_ptr<ClientCommand>;
  struct Table {
    std::map<std::string, Command> known{};
    std::size_t running = 0;
    bool draining = false;
  };

  [[nodiscard]] std::optional<Command> add(const std::string& id, const service::Caller& caller,
                                           bool only_looks, io::TerminalSize size);
  /// Cuts the commands of tokens that are not valid any more.
  void check_tokens();
  [[nodiscard]] Command find(const std::string& id, const service::Caller& caller) const;
  void run(const Command& command, service::Invocation invocation, const service::Caller& caller,
           const service::WireRequest& request, const std::filesystem::path& folder);
  [[nodiscard]] service::Screen screen_at(const Command& command,
                                          const service::WireTerminal& terminal) const;

  // Constant after construction.
  const Parts parts_;
  base::StopSource end_;
  // Shared.
  const std::shared_ptr<base::Guarded<Table>> table_;
  // The subscription posts to the strand.
  base::Strand checks_;
  std::unique_ptr<storage::Subscription> rights_;
  // Made for the first command; last, because its tasks use those above.
  base::Lazy<base::ThreadPool> threads_;
};

}  // namespace clever::server
