#pragma once
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/guarded.h"
#include "base/monitor.h"
#include "mcp/client.h"
#include "mcp/internal/message.h"

namespace clever::mcp::internal {

/// The end of one of our requests: an answer, a refusal, or a loss.
using Outcome = std::variant<Json, RpcError, RequestLoss>;

/// One request's result slot, with one waiting thread.
///
///     open --(answer, loss, close, abandon: the first to remove it from the table)--> settled
///
/// Settled once, by the thread that removed it from the table.
class Call {
 public:
  struct News {
    std::optional<Outcome> outcome{};
    std::optional<Progress> progress{};
    /// Its stream is to be resumed after this pause.
    std::optional<std::chrono::milliseconds> pause{};
  };

  void settle(Outcome outcome);
  /// Keeps only the newest until it is taken.
  void note(Progress progress);
  void pause(std::chrono::milliseconds pause);
  /// Waits for news and takes them; `cancelled` or `deadline_exceeded` if that comes first.
  base::Result<News> take(const base::StopToken& stop, base::Deadline deadline);
  [[nodiscard]] bool settled() const;

 private:
  base::Monitor<News> news_;
};

/// The requests that wait for an answer, by number. Each call is removed exactly once, and only the
/// remover settles it: duplicate, late or unrelated answers find nothing.
///
/// Thread-safe.
class CallTable {
 public:
  static constexpr std::size_t kMostCalls = 4096;

  struct Opened {
    RequestNumber number = 0;
    std::shared_ptr<Call> call{};
  };

  /// `resource_exhausted` if there are too many; after close() its reason. Numbers are not reused.
  base::Result<Opened> open();
  /// False if no request with this number is open.
  bool settle(RequestNumber number, Outcome outcome);
  bool note(RequestNumber number, Progress progress);
  bool pause(RequestNumber number, std::chrono::milliseconds pause);
  /// The caller gives up. False if an outcome came first, which take() then returns.
  bool abandon(RequestNumber number);
  /// Fails all open requests, and all future ones. Only the first call counts.
  void close(const base::Error& why);

  [[nodiscard]] std::optional<base::Error> closed() const;
  [[nodiscard]] std::size_t size() const;

 private:
  struct State {
    std::map<RequestNumber, std::shared_ptr<Call>> calls{};
    RequestNumber last = 0;
    std::optional<base::Error> closed{};
  };
  std::shared_ptr<Call> extract(RequestNumber number);
  [[nodiscard]] std::shared_ptr<Call> find(RequestNumber number) const;

  base::Guarded<State> state_;
};

}  // namespace clever::mcp::internal
