#include "io/internal/http_network.h"

#include <algorithm>
#include <utility>

#include "io/no_pipe_signal.h"

namespace clever::io::internal {
namespace {

// Handles kept for later exchanges, about 6 KiB each.
constexpr std::size_t kIdleTransfers = 256;
// Idle connections that are kept open.
constexpr long kIdleConnections = 512;

void finish_unbegun(HttpFlight& flight, const HttpEnd& end) {
  flight.over.store(true);
  std::exchange(flight.sink, nullptr)->on_end(end);
}

std::string place_or_url(const std::string& url) {
  const std::optional<UrlParts> parts = split_url(url);
  return parts ? parts->place() : without_secrets(url);
}

int events_of(std::uint32_t epoll_events) {
  return ((epoll_events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
         ((epoll_events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
         ((epoll_events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
}

std::uint32_t events_for(int what) {
  switch (what) {
    case CURL_POLL_IN:
      return EPOLLIN;
    case CURL_POLL_OUT:
      return EPOLLOUT;
    case CURL_POLL_INOUT:
      return EPOLLIN | EPOLLOUT;
    default:
      return 0;
  }
}

}  // namespace

HttpNetwork::HttpNetwork(HttpClientOptions options, SocketWatch watch)
    : options_(std::move(options)), proxies_(options_.environment), watch_(std::move(watch)) {}

HttpNetwork::~HttpNetwork() = default;

bool HttpNetwork::post(HttpCommand& command) {
  const auto posted = mailbox_.post(command);
  if (posted == Mailbox<HttpCommand>::Posted::kWake) watch_.wake();
  return posted != Mailbox<HttpCommand>::Posted::kClosed;
}

void HttpNetwork::run(const base::StopToken& stop) {
  const NoPipeSignal no_pipe_signal;
  while (!stop.stop_requested()) {
    now_ = clock_.now();
    take_commands();
    run_curl_timers();
    end_late();
    wait_for_events();
  }
  end_all();
  close();
}

// Each transfer that continues needs a call of its own; the sockets must not starve meanwhile.
void HttpNetwork::run_curl_timers() {
  for (int i = 0; i < 64 && curl_due_ <= now_; ++i) {
    curl_due_ = base::TimePoint::max();
    act(CURL_SOCKET_TIMEOUT, 0);
  }
}

void HttpNetwork::wait_for_events() {
  const bool sleeping = mailbox_.try_sleep();
  const std::span<const epoll_event> events = watch_.wait(sleeping ? milliseconds_to_wait() : 0);
  if (sleeping) mailbox_.woke();
  now_ = clock_.now();
  for (const epoll_event& event : events) act(event.data.fd, events_of(event.events));
}

int HttpNetwork::milliseconds_to_wait() const {
  const base::TimePoint next = due_.empty() ? curl_due_ : std::min(curl_due_, due_.begin()->first);
  if (next == base::TimePoint::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - now_).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

base::Result<void> HttpNetwork::open() {
  if (!opened_) opened_ = set_up();
  return *opened_;
}

base::Result<void> HttpNetwork::set_up() {
  CLEVER_ASSIGN(curl_, Libcurl::load(options_.library.c_str()));
  multi_ = curl_->curl_multi_init();
  share_ = curl_->curl_share_init();
  CLEVER_CHECK(multi_ != nullptr && share_ != nullptr, "libcurl has no memory to begin");
  curl_->curl_share_setopt(share_, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  curl_->curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &HttpNetwork::on_socket);
  curl_->curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, static_cast<void*>(this));
  curl_->curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &HttpNetwork::on_timer);
  curl_->curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, static_cast<void*>(this));
  curl_->curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  curl_->curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kIdleConnections);
  return trust();
}

base::Result<void> HttpNetwork::trust() {
  std::string system = options_.environment.value("SSL_CERT_FILE").value_or(std::string());
  if (system.empty()) {
    const std::unique_ptr<CURL, decltype(curl_->curl_easy_cleanup)> handle(
        curl_->curl_easy_init(), curl_->curl_easy_cleanup);
    const char* file = nullptr;
    curl_->curl_easy_getinfo(handle.get(), CURLINFO_CAINFO, &file);
    if (file != nullptr) system = file;
  }
  CLEVER_ASSIGN(authorities_, join_authorities(system, options_.extra_authorities));
  settings_ = {.user_agent = options_.user_agent,
               .authorities = authorities_.file,
               .no_proxy = proxies_.no_proxy()};
  return {};
}

void HttpNetwork::close() {
  idle_.clear();
  if (multi_ != nullptr) curl_->curl_multi_cleanup(multi_);
  if (share_ != nullptr) curl_->curl_share_cleanup(share_);
}

void HttpNetwork::take_commands() {
  buffer_ = mailbox_.take(std::move(buffer_));
  for (HttpCommand& command : buffer_) {
    if (command.kind == HttpCommand::Kind::kStart) {
      begin(std::move(command.flight));
    } else {
      cancel(*command.flight);
    }
  }
  buffer_.clear();
}

void HttpNetwork::begin(std::shared_ptr<HttpFlight> flight) {
  const HttpRequest& request = flight->request;
  std::optional<UrlParts> url = split_url(request.url);
  // No socket of this machine is public.
  const bool may = url && (url->socket.empty() || !request.public_only);
  if (!may) return finish_unbegun(*flight, bad_url_end(request.url));
  if (const auto header = unsendable_header(request)) {
    return finish_unbegun(*flight, bad_header_end(*header));
  }
  if (const auto opened = open(); !opened.ok()) {
    return finish_unbegun(*flight,
                          {.failure = failure_to_open(), .message = opened.error().sentence()});
  }
  add(std::move(flight), std::move(*url));
}

HttpFailure HttpNetwork::failure_to_open() const {
  return curl_ == nullptr ? HttpFailure::kNoLibrary : HttpFailure::kTls;
}

void HttpNetwork::add(std::shared_ptr<HttpFlight> flight, UrlParts url) {
  const std::string& proxy = proxies_.for_url(url);
  HttpOrigin& origin = origins_[url.origin];
  std::unique_ptr<HttpTransfer> transfer = idle_transfer();
  transfer->prepare(std::move(flight), std::move(url), origin, proxy);
  HttpTransfer& added = *transfer;
  active_.emplace(&added, std::move(transfer));
  watch_deadline(added);
  origin.waiting.push_back(&added);
  admit(origin);
}

void HttpNetwork::admit(HttpOrigin& origin) {
  while (!origin.waiting.empty() && (origin.serial || origin.opening == nullptr)) {
    HttpTransfer& transfer = *origin.waiting.front();
    origin.waiting.pop_front();
    origin.opening = &transfer;
    transfer.added = true;
    const CURLMcode code = curl_->curl_multi_add_handle(multi_, transfer.handle());
    CLEVER_CHECK(code == CURLM_OK, "libcurl refused a handle that was ready");
  }
}

void HttpNetwork::admit_others() {
  for (std::size_t i = 0; i < may_go_.size(); ++i) admit(*may_go_[i]);
  may_go_.clear();
}

std::unique_ptr<HttpTransfer> HttpNetwork::idle_transfer() {
  if (idle_.empty()) return std::make_unique<HttpTransfer>(*curl_, share_, settings_, *this);
  std::unique_ptr<HttpTransfer> transfer = std::move(idle_.back());
  idle_.pop_back();
  return transfer;
}

void HttpNetwork::cancel(const HttpFlight& flight) {
  if (flight.transfer == nullptr) return;
  finish(*flight.transfer, flight.transfer->cancelled());
  admit_others();
}

void HttpNetwork::act(int socket, int events) {
  int running = 0;
  curl_->curl_multi_socket_action(multi_, socket, events, &running);
  finish_done();
  admit_others();
}

void HttpNetwork::finish_done() {
  int left = 0;
  while (const CURLMsg* message = curl_->curl_multi_info_read(multi_, &left)) {
    void* transfer = nullptr;
    curl_->curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    auto& done = *static_cast<HttpTransfer*>(transfer);
    finish(done, done.end(message->data.result));
  }
}

void HttpNetwork::finish(HttpTransfer& transfer, const HttpEnd& end) {
  const auto found = active_.find(&transfer);
  std::unique_ptr<HttpTransfer> owned = std::move(found->second);
  active_.erase(found);
  if (transfer.timer) due_.erase(*std::exchange(transfer.timer, std::nullopt));
  take_out(transfer, end.whole());
  const std::shared_ptr<HttpFlight> flight = transfer.release();
  if (idle_.size() < kIdleTransfers) idle_.push_back(std::move(owned));
  finish_unbegun(*flight, end);
}

void HttpNetwork::take_out(HttpTransfer& transfer, bool whole) {
  HttpOrigin& origin = transfer.origin();
  if (!std::exchange(transfer.added, false)) {
    std::erase(origin.waiting, &transfer);
    return;
  }
  if (!whole) transfer.give_up();
  curl_->curl_multi_remove_handle(multi_, transfer.handle());
  if (!whole) tell_server_given_up(transfer);
  if (origin.opening == &transfer) {
    origin.opening = nullptr;
    let_others_go(origin);
  }
}

void HttpNetwork::tell_server_given_up(const HttpTransfer& transfer) {
  for (const auto& [other, owned] : active_) {
    if (other->is_beside(transfer)) return other->flush_connection();
  }
}

void HttpNetwork::watch_deadline(HttpTransfer& transfer) {
  if (const base::TimePoint due = transfer.due(); due != base::TimePoint::max()) {
    transfer.timer = due_.emplace(due, &transfer);
  }
}

void HttpNetwork::deadline_moved(HttpTransfer& transfer) {
  if (transfer.timer && (*transfer.timer)->first <= transfer.due()) return;
  if (transfer.timer) due_.erase(*std::exchange(transfer.timer, std::nullopt));
  watch_deadline(transfer);
}

// A deadline that has moved since is watched again: data only records its time.
void HttpNetwork::end_late() {
  while (!due_.empty() && due_.begin()->first <= now_) {
    HttpTransfer& transfer = *due_.begin()->second;
    due_.erase(due_.begin());
    transfer.timer = std::nullopt;
    if (const std::optional<HttpEnd> end = transfer.late(now_)) {
      finish(transfer, *end);
    } else {
      watch_deadline(transfer);
    }
  }
  admit_others();
}

void HttpNetwork::end_all() {
  const std::vector<HttpCommand> rest = mailbox_.close();
  while (!active_.empty()) {
    HttpTransfer& transfer = *active_.begin()->first;
    finish(transfer, transfer.cancelled());
  }
  for (const HttpCommand& command : rest) {
    if (command.kind == HttpCommand::Kind::kStart) refuse(*command.flight);
  }
}

void refuse(HttpFlight& flight) {
  finish_unbegun(flight, cancelled_end(place_or_url(flight.request.url)));
}

int HttpNetwork::on_socket(CURL* /*handle*/, curl_socket_t socket, int what, void* self,
                           void* /*socket_data*/) {
  static_cast<HttpNetwork*>(self)->watch_.want(socket, events_for(what));
  return 0;
}

int HttpNetwork::on_timer(CURLM* /*multi*/, long milliseconds, void* self) {
  auto& network = *static_cast<HttpNetwork*>(self);
  network.curl_due_ = milliseconds < 0 ? base::TimePoint::max()
                                       : network.now_ + std::chrono::milliseconds(milliseconds);
  return 0;
}

}  // namespace clever::io::internal
