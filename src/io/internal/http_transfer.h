#pragma once
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "io/internal/head_reader.h"
#include "io/internal/http_failures.h"
#include "io/internal/http_flight.h"
#include "io/internal/libcurl.h"
#include "io/internal/url_parts.h"

namespace clever::io::internal {

class HttpTransfer;

/// Knowledge about the servers of one origin, and the transfers that wait for a connection to it.
///
/// By itself, libcurl answers a burst of requests with a connection each: it waits neither for the
/// protocol to be known nor for connections that it is opening, and looks the name up in a thread
/// per request. So one transfer goes ahead at a time; each of the others then finds a place on a
/// connection (HTTP/2) or opens the next one. Where connections cannot be shared, no transfer
/// waits.
struct HttpOrigin {
  /// Requests do not share connections.
  bool serial = false;
  /// When a connection last served a request.
  base::TimePoint connected{};
  /// The transfer that goes ahead.
  HttpTransfer* opening = nullptr;
  std::deque<HttpTransfer*> waiting{};
};

/// What a transfer needs from its network.
class HttpTransferHost {
 public:
  virtual ~HttpTransferHost() = default;
  [[nodiscard]] virtual base::TimePoint now() const = 0;
  virtual void socket_opened(int socket) = 0;
  virtual void socket_closed(int socket) = 0;
  /// Its deadline may be earlier than before.
  virtual void deadline_moved(HttpTransfer& transfer) = 0;
  /// Others may go ahead: its request is sent, or something was learned about the origin.
  virtual void let_others_go(HttpOrigin& origin) = 0;
};

/// Settings shared by all transfers.
struct HttpTransferSettings {
  std::string user_agent{};
  std::string authorities{};  // the file of trusted certificates; empty: the library's own
  std::string no_proxy{};
};

/// One libcurl handle, reused for exchange after exchange. Owned by the network thread.
class HttpTransfer {
 public:
  using Due = std::multimap<base::TimePoint, HttpTransfer*>;

  HttpTransfer(const Libcurl& curl, CURLSH* share, const HttpTransferSettings& settings,
               HttpTransferHost& host);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  [[nodiscard]] CURL* handle() const noexcept { return handle_; }
  [[nodiscard]] const std::shared_ptr<HttpFlight>& flight() const noexcept { return flight_; }
  [[nodiscard]] HttpOrigin& origin() const noexcept { return *origin_; }
  /// Whether its stream shares a connection with the other's.
  [[nodiscard]] bool is_beside(const HttpTransfer& other) const;

  /// Prepares everything for curl_multi_add_handle(). `proxy` is empty for none.
  void prepare(std::shared_ptr<HttpFlight> flight, UrlParts url, HttpOrigin& origin,
               const std::string& proxy);
  /// Releases the exchange; the handle must have left the multi handle.
  std::shared_ptr<HttpFlight> release();

  /// Whether the multi handle has it.
  bool added = false;
  /// Call before removing it unfinished from the multi handle: closes its connection, unless others
  /// share it.
  void give_up();
  /// Sends what libcurl holds back for its connection. Version 7.88 delays the end of an HTTP/2
  /// stream until another stream of the connection sends something, while the server keeps working;
  /// a pause makes it send.
  void flush_connection() const;

  // What ended it.
  [[nodiscard]] HttpEnd end(CURLcode code);
  [[nodiscard]] HttpEnd cancelled() const { return cancelled_end(url_.place()); }
  /// The deadline that has passed, if one has.
  [[nodiscard]] std::optional<HttpEnd> late(base::TimePoint now);
  /// The next moment at which a deadline may have passed.
  [[nodiscard]] base::TimePoint due() const { return next_limit().at; }
  std::optional<Due::iterator> timer{};

 private:
  struct Limit {
    base::TimePoint at = base::TimePoint::max();
    HttpLimit kind = HttpLimit::kTotal;
    std::chrono::milliseconds time{};
  };

  void set(CURLoption option, long value) const;
  void set(CURLoption option, const char* value) const;
  template <class T>
  void set_pointer(CURLoption option, T value) const;
  void set_constant_options(CURLSH* share, const HttpTransferSettings& settings);
  void set_callbacks();
  void set_method(const HttpRequest& request) const;
  void set_headers(const HttpRequest& request);
  void add_header(const std::string& line);
  [[nodiscard]] Limit next_limit() const;
  [[nodiscard]] TransferFacts facts() const;

  // Called by libcurl.
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static int on_ready(void* self, char* address, char* local_address, int port, int local_port);
  static curl_socket_t on_open(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int on_close(void* host, curl_socket_t socket);
  bool header(std::string_view line);
  bool body(std::string_view bytes);
  bool ready(int local_port);
  bool head_complete();
  [[nodiscard]] std::size_t bytes_on_the_wire() const;
  void drop_sent_body();

  // Constant after construction.
  const Libcurl& curl_;
  HttpTransferHost& host_;
  const std::string authorities_;
  CURL* const handle_;

  // For the present exchange.
  std::shared_ptr<HttpFlight> flight_;
  UrlParts url_;
  HttpOrigin* origin_ = nullptr;
  std::string proxy_;
  curl_slist* headers_ = nullptr;
  HeadReader head_;
  HttpPhase phase_ = HttpPhase::kConnecting;
  base::TimePoint begun_{};
  base::TimePoint sent_{};
  base::TimePoint last_{};
  std::size_t received_ = 0;
  int socket_error_ = 0;
  bool is_private_ = false;  // and the request goes to public addresses alone
  int local_port_ = 0;
  bool http2_ = false;
  bool reused_connection_ = false;
  bool repeat_refused_ = false;
  bool too_large_ = false;
  bool bomb_ = false;
  std::array<char, CURL_ERROR_SIZE> detail_{};
};

/// The name of the first header that cannot be sent unchanged.
[[nodiscard]] std::optional<std::string> unsendable_header(const HttpRequest& request);

}  // namespace clever::io::internal
