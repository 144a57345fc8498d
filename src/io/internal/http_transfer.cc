#include "io/internal/http_transfer.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ranges>

#include "io/public_address.h"
#include "io/system_error.h"

namespace clever::io::internal {
namespace {

// The size of reads of an answer, and of a request's body beyond its first packet.
constexpr long kReadBuffer = 16L << 10U;
constexpr long kWriteBuffer = 16L << 10U;

// The most that `packed` bytes may unpack to. deflate reaches a ratio of 1,032 for pure repetition;
// text and JSON stay below 30. libcurl counts a chunk after unpacking it, so one buffer is added.
std::size_t most_unpacked(std::size_t packed) {
  constexpr std::size_t kUnchecked = std::size_t{4} << 20U;
  constexpr std::size_t kRatio = 100;
  return kUnchecked + (kRatio * packed);
}

// Stacked codings multiply their ratios, and only the last one's output is visible here.
bool is_packed_twice(const HttpHead& head) {
  std::size_t codings = 0;
  for (const auto& [name, value] : head.headers) {
    if (name != "content-encoding" && name != "transfer-encoding") continue;
    for (const auto word : std::views::split(value, ',')) {
      const std::string_view coding(word);
      codings += coding.contains("chunked") || coding.contains("identity") ? 0 : 1;
    }
  }
  return codings > 1;
}

bool has_header(const HttpRequest& request, std::string_view name) {
  return std::ranges::any_of(request.headers, [&](const HttpHeader& header) {
    return std::ranges::equal(header.name, name, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  });
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// Whether RFC 9110 defines the method as idempotent, so that it may be sent twice.
bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" ||
         method == "DELETE";
}

std::string place_of(const std::string& proxy) {
  const std::string place = without_secrets(proxy);
  const std::size_t scheme = place.find("://");
  return scheme == std::string::npos ? place : place.substr(scheme + 3);
}

// Returns "user:password" of a URL.
std::string credentials_in(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t at = url.substr(0, url.find_first_of("/?#", begin)).rfind('@');
  return at == std::string_view::npos || at < begin ? std::string()
                                                    : std::string(url.substr(begin, at - begin));
}

base::TimePoint after(base::TimePoint begin, std::chrono::milliseconds time) {
  const auto left = std::chrono::floor<std::chrono::milliseconds>(base::TimePoint::max() - begin);
  return time.count() <= 0 || time >= left ? base::TimePoint::max() : begin + time;
}

bool leads_out(const curl_sockaddr& address) {
  sockaddr_storage bytes{};
  std::memcpy(&bytes, &address.addr, std::min<std::size_t>(address.addrlen, sizeof(bytes)));
  return is_public(bytes);
}

}  // namespace

std::optional<std::string> unsendable_header(const HttpRequest& request) {
  if (request.method.empty() ||
      !std::ranges::all_of(request.method, [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return "(method)";
  }
  for (const auto& [name, value] : request.headers) {
    const bool named = !name.empty() && name.find_first_of(": \t") == std::string::npos;
    if (!named || std::ranges::any_of(name, is_control) || std::ranges::any_of(value, is_control)) {
      std::string shown = name;
      std::erase_if(shown, is_control);
      return shown;
    }
  }
  return std::nullopt;
}

HttpTransfer::HttpTransfer(const Libcurl& curl, CURLSH* share, const HttpTransferSettings& settings,
                           HttpTransferHost& host)
    : curl_(curl), host_(host), authorities_(settings.authorities), handle_(curl.curl_easy_init()) {
  CLEVER_CHECK(handle_ != nullptr, "libcurl has no memory for a handle");
  set_constant_options(share, settings);
  set_callbacks();
}

HttpTransfer::~HttpTransfer() {
  curl_.curl_easy_cleanup(handle_);
  curl_.curl_slist_free_all(headers_);
}

void HttpTransfer::set(CURLoption option, long value) const {
  curl_.curl_easy_setopt(handle_, option, value);
}

void HttpTransfer::set(CURLoption option, const char* value) const {
  const CURLcode code = curl_.curl_easy_setopt(handle_, option, value);
  CLEVER_CHECK(code != CURLE_OUT_OF_MEMORY, "libcurl has no memory for an option");
}

template <class T>
void HttpTransfer::set_pointer(CURLoption option, T value) const {
  curl_.curl_easy_setopt(handle_, option, value);
}

void HttpTransfer::set_constant_options(CURLSH* share, const HttpTransferSettings& settings) {
  set(CURLOPT_NOSIGNAL, 1L);
  // Abandons a cancelled name look-up: waiting for its thread would stop all exchanges.
  set(CURLOPT_QUICK_EXIT, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!settings.authorities.empty()) set(CURLOPT_CAINFO, settings.authorities.c_str());
  // With a folder of certificates libcurl reads all of them for every connection: a millisecond and
  // a megabyte each. One file is read once and shared.
  set(CURLOPT_CAPATH, nullptr);
  set(CURLOPT_NOPROXY, settings.no_proxy.c_str());
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "");
  set(CURLOPT_USERAGENT, settings.user_agent.c_str());
  set(CURLOPT_TCP_NODELAY, 1L);
  // A model may think for minutes; routers between must not drop the connection.
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, 45L);
  set(CURLOPT_TCP_KEEPINTVL, 15L);
  set(CURLOPT_BUFFERSIZE, kReadBuffer);
  set(CURLOPT_UPLOAD_BUFFERSIZE, kWriteBuffer);
  set_pointer(CURLOPT_SHARE, share);
}

void HttpTransfer::set_callbacks() {
  set_pointer(CURLOPT_ERRORBUFFER, detail_.data());
  set_pointer(CURLOPT_PRIVATE, static_cast<void*>(this));
  set_pointer(CURLOPT_HEADERFUNCTION, &HttpTransfer::on_header);
  set_pointer(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set_pointer(CURLOPT_WRITEFUNCTION, &HttpTransfer::on_body);
  set_pointer(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set_pointer(CURLOPT_PREREQFUNCTION, &HttpTransfer::on_ready);
  set_pointer(CURLOPT_PREREQDATA, static_cast<void*>(this));
  set_pointer(CURLOPT_OPENSOCKETFUNCTION, &HttpTransfer::on_open);
  set_pointer(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  // A kept connection may outlive the transfer that opened it.
  set_pointer(CURLOPT_CLOSESOCKETFUNCTION, &HttpTransfer::on_close);
  set_pointer(CURLOPT_CLOSESOCKETDATA, static_cast<void*>(&host_));
}

void HttpTransfer::prepare(std::shared_ptr<HttpFlight> flight, UrlParts url, HttpOrigin& origin,
                           const std::string& proxy) {
  flight_ = std::move(flight);
  flight_->transfer = this;
  url_ = std::move(url);
  origin_ = &origin;
  proxy_ = flight_->request.public_only ? std::string() : proxy;
  begun_ = host_.now();
  const HttpRequest& request = flight_->request;
  set(CURLOPT_URL, url_.socket.empty() ? request.url.c_str() : url_.target.c_str());
  set(CURLOPT_UNIX_SOCKET_PATH, url_.socket.empty() ? nullptr : url_.socket.c_str());
  set(CURLOPT_PROXY, proxy_.c_str());
  // A kept connection may lead elsewhere.
  set(CURLOPT_FRESH_CONNECT, request.public_only ? 1L : 0L);
  // Over plain HTTP, the version is unknown before the first answer.
  set(CURLOPT_HTTP_VERSION,
      static_cast<long>(url_.secure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  // Lets libcurl divide the time among several addresses; our own deadline ends it.
  constexpr long kDay = 24L * 60 * 60 * 1000;
  const auto connect = static_cast<long>(request.deadlines.connect.count());
  set(CURLOPT_CONNECTTIMEOUT_MS, connect > 0 ? std::min(connect, kDay) : kDay);
  set_method(request);
  set_headers(request);
}

void HttpTransfer::set_method(const HttpRequest& request) const {
  if (request.method == "GET" && request.body.empty()) {
    set(CURLOPT_HTTPGET, 1L);
    set(CURLOPT_CUSTOMREQUEST, nullptr);
    return;
  }
  if (request.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
    set(CURLOPT_CUSTOMREQUEST, nullptr);
    return;
  }
  set(CURLOPT_POST, 1L);
  set(CURLOPT_CUSTOMREQUEST, request.method == "POST" ? nullptr : request.method.c_str());
  curl_.curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(request.body.size()));
  set_pointer(CURLOPT_POSTFIELDS, request.body.data());
}

void HttpTransfer::set_headers(const HttpRequest& request) {
  std::string line;
  for (const auto& [name, value] : request.headers) {
    line.assign(name).append(value.empty() ? ";" : ": ").append(value);
    add_header(line);
  }
  // Saves a round trip, and a wait of a second with servers that do not know it.
  if (!has_header(request, "expect")) add_header("Expect:");
  if (!has_header(request, "content-type")) add_header("Content-Type:");
  set_pointer(CURLOPT_HTTPHEADER, headers_);
}

void HttpTransfer::add_header(const std::string& line) {
  curl_slist* longer = curl_.curl_slist_append(headers_, line.c_str());
  CLEVER_CHECK(longer != nullptr, "libcurl has no memory for a header");
  headers_ = longer;
}

bool HttpTransfer::is_beside(const HttpTransfer& other) const {
  return http2_ && other.http2_ && origin_ == other.origin_ && local_port_ == other.local_port_;
}

void HttpTransfer::give_up() { set(CURLOPT_FORBID_REUSE, 1L); }

void HttpTransfer::flush_connection() const {
  curl_.curl_easy_pause(handle_, CURLPAUSE_RECV);
  curl_.curl_easy_pause(handle_, CURLPAUSE_CONT);
}

std::shared_ptr<HttpFlight> HttpTransfer::release() {
  set_pointer(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
  curl_.curl_slist_free_all(headers_);
  headers_ = nullptr;
  set(CURLOPT_HTTPGET, 1L);
  set(CURLOPT_FORBID_REUSE, 0L);
  set_pointer(CURLOPT_POSTFIELDS, static_cast<const char*>(nullptr));
  flight_->transfer = nullptr;
  head_.reset();
  phase_ = HttpPhase::kConnecting;
  received_ = 0;
  socket_error_ = 0;
  is_private_ = false;
  local_port_ = 0;
  http2_ = false;
  reused_connection_ = repeat_refused_ = too_large_ = bomb_ = false;
  detail_.front() = '\0';
  return std::exchange(flight_, nullptr);
}

HttpEnd HttpTransfer::end(CURLcode code) {
  // libcurl reports no error if a connection ends within the head.
  if (code == CURLE_OK && !head_.complete()) code = CURLE_PARTIAL_FILE;
  TransferFacts facts = this->facts();
  if (facts.detail.empty()) facts.detail = curl_.curl_easy_strerror(code);
  if (socket_error_ != 0 && code == CURLE_COULDNT_CONNECT)
    facts.detail = system_message(socket_error_);
  if (is_private_) facts.detail = "its address is not public";
  if (!proxy_.empty()) {
    curl_.curl_easy_getinfo(handle_, CURLINFO_HTTP_CONNECTCODE, &facts.proxy_status);
  }
  return end_of(code, facts);
}

TransferFacts HttpTransfer::facts() const {
  const std::string& secret_of = proxy_.empty() ? flight_->request.url : proxy_;
  return {.place = url_.place(),
          .proxy_place = proxy_.empty() ? std::string() : place_of(proxy_),
          .detail = detail_.data(),
          .secrets = credentials_in(secret_of),
          .authorities = authorities_,
          .sent = phase_ != HttpPhase::kConnecting,
          .reused_connection = reused_connection_,
          .repeat_refused = repeat_refused_,
          .too_large = too_large_,
          .bomb = bomb_,
          .answer_limit = flight_->request.answer_limit,
          .received = received_};
}

HttpTransfer::Limit HttpTransfer::next_limit() const {
  const HttpDeadlines& deadlines = flight_->request.deadlines;
  Limit limit;
  switch (phase_) {
    case HttpPhase::kConnecting:
      // While connections to this origin are being set up, waiting for one is not a failure.
      limit = {.at = after(std::max(begun_, origin_->connected), deadlines.connect),
               .kind = HttpLimit::kConnect,
               .time = deadlines.connect};
      break;
    case HttpPhase::kWaiting:
      limit = {.at = after(sent_, deadlines.first_byte),
               .kind = HttpLimit::kFirstByte,
               .time = deadlines.first_byte};
      break;
    case HttpPhase::kReading:
      limit = {
          .at = after(last_, deadlines.idle), .kind = HttpLimit::kIdle, .time = deadlines.idle};
      break;
  }
  const base::TimePoint total = after(begun_, deadlines.total);
  if (total <= limit.at) {
    limit = {.at = total, .kind = HttpLimit::kTotal, .time = deadlines.total};
  }
  return limit;
}

std::optional<HttpEnd> HttpTransfer::late(base::TimePoint now) {
  const Limit limit = next_limit();
  if (limit.at > now) return std::nullopt;
  return timed_out(limit.kind, limit.time, facts());
}

std::size_t HttpTransfer::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  const std::size_t length = size * count;
  return static_cast<HttpTransfer*>(self)->header({bytes, length}) ? length : 0;
}

std::size_t HttpTransfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  const std::size_t length = size * count;
  return static_cast<HttpTransfer*>(self)->body({bytes, length}) ? length : 0;
}

int HttpTransfer::on_ready(void* self, char* /*address*/, char* /*local_address*/, int /*port*/,
                           int local_port) {
  return static_cast<HttpTransfer*>(self)->ready(local_port) ? CURL_PREREQFUNC_OK
                                                             : CURL_PREREQFUNC_ABORT;
}

// Opens the socket itself, to close it in child programs and to name the failure.
curl_socket_t HttpTransfer::on_open(void* self, curlsocktype /*purpose*/, curl_sockaddr* address) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (transfer.flight_ && transfer.flight_->request.public_only && !leads_out(*address)) {
    transfer.is_private_ = true;
    return CURL_SOCKET_BAD;
  }
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket < 0) {
    transfer.socket_error_ = errno;
    return CURL_SOCKET_BAD;
  }
  transfer.host_.socket_opened(socket);
  return socket;
}

int HttpTransfer::on_close(void* host, curl_socket_t socket) {
  static_cast<HttpTransferHost*>(host)->socket_closed(socket);
  return ::close(socket);
}

bool HttpTransfer::ready(int local_port) {
  // libcurl sends a request again if a kept connection ends before any answer. The server may have
  // processed it, so a request that must not happen twice is left to the caller.
  if (phase_ != HttpPhase::kConnecting && !is_idempotent(flight_->request.method)) {
    repeat_refused_ = true;
    return false;
  }
  long connections = 0;
  curl_.curl_easy_getinfo(handle_, CURLINFO_NUM_CONNECTS, &connections);
  reused_connection_ = connections == 0;
  phase_ = HttpPhase::kWaiting;
  sent_ = host_.now();
  origin_->connected = sent_;
  local_port_ = local_port;
  // Connections over plain HTTP are not shared.
  if (!url_.secure) origin_->serial = true;
  host_.deadline_moved(*this);
  if (origin_->opening == this) origin_->opening = nullptr;
  host_.let_others_go(*origin_);
  return true;
}

bool HttpTransfer::header(std::string_view line) {
  switch (head_.add(line)) {
    case HeadReader::Line::kMore:
      return true;
    case HeadReader::Line::kTooLarge:
      too_large_ = true;
      give_up();
      return false;
    case HeadReader::Line::kComplete:
      break;
  }
  return head_complete();
}

bool HttpTransfer::head_complete() {
  phase_ = HttpPhase::kReading;
  last_ = host_.now();
  host_.deadline_moved(*this);
  http2_ = head_.head().version.starts_with("2");
  if (std::exchange(origin_->serial, !http2_) != !http2_) host_.let_others_go(*origin_);
  drop_sent_body();
  flight_->sink->on_head(head_.head());
  bomb_ = is_packed_twice(head_.head());
  if (bomb_) give_up();
  return !bomb_;
}

// A prompt may be large and its answer may take minutes.
void HttpTransfer::drop_sent_body() {
  curl_off_t sent = 0;
  curl_.curl_easy_getinfo(handle_, CURLINFO_SIZE_UPLOAD_T, &sent);
  std::string& body = flight_->request.body;
  if (std::cmp_greater_equal(sent, body.size())) std::string().swap(body);
}

bool HttpTransfer::body(std::string_view bytes) {
  last_ = host_.now();
  received_ += bytes.size();
  too_large_ = received_ > flight_->request.answer_limit;
  bomb_ = received_ > most_unpacked(0) && received_ > most_unpacked(bytes_on_the_wire());
  if (too_large_ || bomb_) {
    give_up();
    return false;
  }
  flight_->sink->on_data(bytes);
  return true;
}

std::size_t HttpTransfer::bytes_on_the_wire() const {
  curl_off_t bytes = 0;
  curl_.curl_easy_getinfo(handle_, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
  return static_cast<std::size_t>(bytes);
}

}  // namespace clever::io::internal
