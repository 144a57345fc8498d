#pragma once
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "mcp/client.h"
#include "mcp/internal/call_table.h"
#include "mcp/internal/message.h"
#include "mcp/transport.h"

namespace clever::mcp::internal {

/// The HTTP headers of a request.
struct RequestExtras {
  std::string name{};
  std::vector<io::HttpHeader> parameters{};
};

/// JSON-RPC with one server: our requests and their answers, its requests and ours, its
/// notifications. Knows the messages, not the agreed features.
///
/// Thread-safe. Whatever a server sends, each of our requests ends once, and only by an answer to
/// it. Counts invalid messages; too many in a row without an answer end the connection.
class Connection final : public TransportSink {
 public:
  static constexpr std::uint64_t kMostOddities = 1000;
  static constexpr std::size_t kMostRemarks = 100;

  /// The clock must outlive it.
  Connection(std::unique_ptr<Transport> transport, base::Clock& clock,
             std::vector<std::filesystem::path> roots);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sends a request and waits. On a stop or at the deadline it notifies the server, and the
  /// outcome is a loss.
  Outcome request(std::string_view method, Json params, const CallOptions& options,
                  RequestExtras extras = {});
  /// Sends a request without waiting.
  base::Result<CallTable::Opened> open(std::string_view method, Json params,
                                       RequestExtras extras = {}, bool with_progress = false);
  /// Waits without giving the request up.
  base::Result<Outcome> wait(const CallTable::Opened& opened, const CallOptions& options);
  /// Ends the wait for it. False if it has been settled.
  bool forget(const CallTable::Opened& opened) { return calls_.abandon(opened.number); }
  void notify(std::string_view method, const Json& params);

  /// Whether to answer its requests: a server of 2026-07-28 must not send any, and gets no answer.
  void answer_requests(bool wanted) { answers_.store(wanted); }
  /// The request that the server may end with a notification.
  void subscribed(RequestNumber number) { subscription_.store(number); }
  [[nodiscard]] bool alive() const { return alive_.load(); }
  [[nodiscard]] Transport& transport() { return *transport_; }
  /// How often the server reported a change of its tools.
  [[nodiscard]] std::uint64_t tool_changes() const;
  /// Kept for a person.
  void remark(std::string line);
  [[nodiscard]] std::vector<std::string> remarks() const;
  [[nodiscard]] Json roots() const;

  bool on_message(std::string_view text, std::optional<RequestNumber> stream) override;
  void on_loss(RequestNumber number, RequestLoss loss) override;
  void on_pause(RequestNumber number, std::chrono::milliseconds pause) override;
  void on_close(base::Error why) override;

 private:
  struct Notes {
    std::uint64_t tool_changes = 0;
    std::uint64_t oddities = 0;
    std::deque<std::string> remarks{};
  };

  bool take(Message message, std::optional<RequestNumber> stream);
  bool take_answer(RequestNumber number, Message& message);
  void take_request(const Message& message);
  void take_notification(const Message& message);
  void take_progress(const Json& params);
  void take_log(const Json& params);
  void take_cancellation(const Json& params);
  void odd(std::string what);
  // Waits until the pause is over, or for news of this call.
  base::Result<Call::News> sit_out(std::chrono::milliseconds pause, const CallTable::Opened& opened,
                                   const base::StopToken& stop, base::Deadline deadline);
  void give_up(const CallTable::Opened& opened, const base::Error& why);

  // Constant after construction.
  base::Clock& clock_;
  const std::vector<std::filesystem::path> roots_;
  // Publishes nothing else.
  base::Atomic<bool> alive_{true};
  // Publishes nothing else.
  base::Atomic<bool> answers_{false};
  // Publishes nothing else.
  base::Atomic<RequestNumber> subscription_{0};
  CallTable calls_;
  base::Guarded<Notes> notes_;
  // Declared last: it ends before what it calls.
  std::unique_ptr<Transport> transport_;
};

}  // namespace clever::mcp::internal
