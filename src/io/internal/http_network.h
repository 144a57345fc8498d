#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/stop_token.h"
#include "io/http_client.h"
#include "io/internal/authorities.h"
#include "io/internal/http_flight.h"
#include "io/internal/http_transfer.h"
#include "io/internal/libcurl.h"
#include "io/internal/proxies.h"
#include "io/mailbox.h"
#include "io/socket_watch.h"

namespace clever::io::internal {

/// The client's network thread: takes commands from a mailbox, drives libcurl, calls the sinks.
/// Everything except post() and interrupt() belongs to the thread in run().
///
/// A flight is in exactly one place: in the mailbox, in `active_`, or ended. Only run() and its
/// callees move it, so each sink gets its end once.
class HttpNetwork final : public HttpTransferHost {
 public:
  HttpNetwork(HttpClientOptions options, SocketWatch watch);
  ~HttpNetwork() override;

  /// Thread-safe. Returns false after run() has ended; then `command` is unchanged.
  bool post(HttpCommand& command);
  /// Makes run() check for a stop. Thread-safe.
  void interrupt() const noexcept { watch_.wake(); }

  /// Runs until a stop is requested; then ends every exchange.
  void run(const base::StopToken& stop);

 private:
  [[nodiscard]] base::TimePoint now() const override { return now_; }
  void socket_opened(int socket) override { watch_.opened(socket); }
  void socket_closed(int socket) override { watch_.closed(socket); }
  void deadline_moved(HttpTransfer& transfer) override;
  void let_others_go(HttpOrigin& origin) override { may_go_.push_back(&origin); }

  // Loads libcurl at the first exchange, or returns why it cannot.
  base::Result<void> open();
  base::Result<void> set_up();
  base::Result<void> trust();
  [[nodiscard]] HttpFailure failure_to_open() const;
  void close();

  void take_commands();
  void begin(std::shared_ptr<HttpFlight> flight);
  void add(std::shared_ptr<HttpFlight> flight, UrlParts url);
  void admit(HttpOrigin& origin);
  void admit_others();
  void cancel(const HttpFlight& flight);
  std::unique_ptr<HttpTransfer> idle_transfer();

  void act(int socket, int events);
  void finish_done();
  void end_late();
  void end_all();
  void finish(HttpTransfer& transfer, const HttpEnd& end);
  void take_out(HttpTransfer& transfer, bool whole);
  void tell_server_given_up(const HttpTransfer& transfer);
  void watch_deadline(HttpTransfer& transfer);
  [[nodiscard]] int milliseconds_to_wait() const;
  void run_curl_timers();
  void wait_for_events();

  static int on_socket(CURL* handle, curl_socket_t socket, int what, void* self, void* socket_data);
  static int on_timer(CURLM* multi, long milliseconds, void* self);

  // Constant after construction.
  const HttpClientOptions options_;
  const Proxies proxies_;
  const base::SystemClock clock_;

  // Shared.
  Mailbox<HttpCommand> mailbox_;

  // Owned by the thread.
  SocketWatch watch_;
  std::optional<base::Result<void>> opened_;
  std::shared_ptr<const Libcurl> curl_;
  Authorities authorities_;
  HttpTransferSettings settings_;
  CURLM* multi_ = nullptr;
  CURLSH* share_ = nullptr;
  std::unordered_map<std::string, HttpOrigin> origins_;
  std::unordered_map<HttpTransfer*, std::unique_ptr<HttpTransfer>> active_;
  std::vector<std::unique_ptr<HttpTransfer>> idle_;
  // Origins whose waiting transfers must be checked once libcurl is not running.
  std::vector<HttpOrigin*> may_go_;
  HttpTransfer::Due due_;
  base::TimePoint curl_due_ = base::TimePoint::max();
  base::TimePoint now_{};
  std::vector<HttpCommand> buffer_;
};

/// Ends an exchange that comes after the end of the network, as cancelled.
void refuse(HttpFlight& flight);

}  // namespace clever::io::internal
