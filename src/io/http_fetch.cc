#include "io/http_fetch.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/monitor.h"

namespace clever::io {
namespace {

// Outlives an abandoned wait: the exchange holds it too.
class Collector final : public HttpSink {
 public:
  void on_head(const HttpHead& head) override { answer_.head = head; }
  void on_data(std::string_view bytes) override { answer_.body.append(bytes); }
  void on_end(const HttpEnd& end) override {
    end_.update([&](std::optional<HttpEnd>& e) { e = end; });
  }

  base::Result<HttpEnd> wait(const base::StopToken& stop, base::Deadline deadline) {
    return end_.update_when(
        stop, deadline, [](const std::optional<HttpEnd>& end) { return end.has_value(); },
        [](std::optional<HttpEnd>& end) { return *std::move(end); });
  }
  /// Call after wait() succeeded: nothing writes to it any more.
  HttpAnswer take() { return std::move(answer_); }

 private:
  // Owned by the network thread until the end, then by the caller: end_ hands it over.
  HttpAnswer answer_;
  base::Monitor<std::optional<HttpEnd>> end_;
};

base::ErrorCode failure_code(HttpFailure failure) {
  switch (failure) {
    case HttpFailure::kBadUrl:
      return base::ErrorCode::kInvalidArgument;
    case HttpFailure::kTimeout:
      return base::ErrorCode::kDeadlineExceeded;
    case HttpFailure::kCancelled:
      return base::ErrorCode::kCancelled;
    case HttpFailure::kTooLarge:
    case HttpFailure::kBomb:
      return base::ErrorCode::kResourceExhausted;
    case HttpFailure::kProtocol:
      return base::ErrorCode::kCorruption;
    case HttpFailure::kResolve:
    case HttpFailure::kConnect:
    case HttpFailure::kTls:
    case HttpFailure::kCut:
    case HttpFailure::kNoLibrary:
      break;
  }
  return base::ErrorCode::kUnavailable;
}

}  // namespace

base::Result<HttpAnswer> fetch(Http& http, HttpRequest request, const base::StopToken& stop,
                               base::Deadline deadline) {
  const auto collector = std::make_shared<Collector>();
  const std::unique_ptr<HttpExchange> exchange = http.start(std::move(request), collector);
  base::Result<HttpEnd> end = collector->wait(stop, deadline);
  if (!end.ok()) {
    exchange->cancel();
    return std::move(end).error();
  }
  if (end->failure) return base::Error(failure_code(*end->failure), end->message);
  return collector->take();
}

}  // namespace clever::io
