#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/atomic.h"
#include "http/internal/wire.h"
#include "http/limits.h"
#include "io/mailbox.h"

namespace clever::http::internal {

class Exchange;

/// A command from any thread to the network thread.
struct Command {
  enum class Kind : std::uint8_t {
    kAnswer,  // `wire` answers the exchange
    kBegin,   // `wire` is the head of its stream
    kFlush,   // its stream has something to send, or is closed
    kCut,     // its stream's reader is too slow
    kDrain,   // for the whole server, without an exchange
  };
  Kind kind = Kind::kAnswer;
  std::shared_ptr<Exchange> exchange{};
  WireAnswer wire{};
};

/// State shared by all exchanges of a server: the path to the network thread, and counts.
///
/// Thread-safe. Owned by the server and every exchange, so that an answer may come after the
/// server's end; it is dropped then. Holds at most three commands per exchange.
class Hub {
 public:
  using Mailbox = io::Mailbox<Command>;

  /// `wake` ends the network thread's sleep; it must be callable for the life of the hub.
  Hub(const Limits& limits, std::function<void()> wake) : limits_(limits), wake_(std::move(wake)) {}

  void post(Command command) {
    if (mailbox_.post(command) == Mailbox::Posted::kWake) wake_();
  }
  /// The network thread's end of it.
  [[nodiscard]] Mailbox& mailbox() noexcept { return mailbox_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

  /// False if there are too many streams.
  [[nodiscard]] bool enter_stream() {
    if (streams_.fetch_add(1) < limits_.streams) return true;
    leave_stream();
    return false;
  }
  void leave_stream() { streams_.fetch_sub(1); }
  [[nodiscard]] std::size_t streams() const { return streams_.load(); }

  /// Counts the bytes held for requests; returns false beyond the limit.
  bool hold(std::size_t bytes) { return held_.fetch_add(bytes) + bytes <= limits_.held_bytes; }
  void let_go(std::size_t bytes) { held_.fetch_sub(bytes); }

  void note_request() { requests_.fetch_add(1); }
  void note_refusal() { refusals_.fetch_add(1); }
  [[nodiscard]] std::uint64_t requests() const { return requests_.load(); }
  [[nodiscard]] std::uint64_t refusals() const { return refusals_.load(); }

 private:
  // Constant after construction.
  const Limits limits_;
  const std::function<void()> wake_;

  // Shared.
  Mailbox mailbox_;
  // Counts; they publish nothing else.
  base::Atomic<std::size_t> streams_{0};
  base::Atomic<std::size_t> held_{0};  // bytes; it publishes nothing else
  // Totals since the start; they publish nothing else.
  base::Atomic<std::uint64_t> requests_{0};
  base::Atomic<std::uint64_t> refusals_{0};  // publishes nothing else, as above
};

}  // namespace clever::http::internal
