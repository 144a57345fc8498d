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

/// How one of our requests ended: an answer, a refusal, or no answer at all.
using Outcome = std::variant<Json, RpcError, RequestLoss>;

/// One request's own result slot, waited on by one thread.
///
///     open --(answer, loss, close, abandon: whoever takes it out of the table)--> settled
///
/// Settled once, by whoever took it out of the table.
class Call {
 public:
  struct News {
    std::optional<Outcome> outcome{};
    std::optional<Progress> progress{};
    /// Its stream is to be taken up again after this pause.
    std::optional<std::chrono::milliseconds> pause{};
  };

  void settle(Outcome outcome);
  /// Only the newest is kept until it is taken.
  void note(Progress progress);
  void pause(std::chrono::milliseconds pause);
  /// Waits for something new and takes it; `cancelled` or `deadline_exceeded` first.
  base::Result<News> take(const base::StopToken& stop, base::Deadline deadline);
  [[nodiscard]] bool settled() const;

 private:
  base::Monitor<News> news_;
};

/// The requests that wait for an answer, by number. Each call is taken out exactly once, and only
/// who took it out settles it: answers that come twice, late, or for nobody find nothing.
///
/// Thread-safe.
class CallTable {
 public:
  static constexpr std::size_t kMostCalls = 4096;

  struct Opened {
    RequestNumber number = 0;
    std::shared_ptr<Call> call{};
  };

  /// `resource_exhausted` if there are too many; the reason of the close after it. The number is
  /// not used again.
  base::Result<Opened> open();
  /// False if nobody waits for it.
  bool settle(RequestNumber number, Outcome outcome);
  bool note(RequestNumber number, Progress progress);
  bool pause(RequestNumber number, std::chrono::milliseconds pause);
  /// The caller gives up. True if it did; false if an outcome came first, which take() then gives.
  bool abandon(RequestNumber number);
  /// Fails all that are open, and all that come. Only the first call counts.
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
