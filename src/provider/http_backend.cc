#include "provider/http_backend.h"

#include <utility>

#include "provider/internal/wire_failure.h"

namespace clever::provider {
namespace {

using io::HttpFailure;

constexpr std::size_t kLongestErrorBody = std::size_t{64} << 10U;

/// Turns one exchange into one attempt. The client's network thread calls it, one call at a time.
class Exchange final : public io::HttpSink {
 public:
  Exchange(const Adapter& adapter, std::shared_ptr<const Endpoint> endpoint, std::string model,
           bool stream, std::shared_ptr<AttemptSink> sink)
      : adapter_(adapter),
        endpoint_(std::move(endpoint)),
        model_(std::move(model)),
        stream_(stream),
        sink_(std::move(sink)),
        on_delta_([this](const Delta& delta) { sink_->on_delta(delta); }) {}

  void on_head(const io::HttpHead& head) override {
    head_ = head;
    rates_ = adapter_.rates(head);
    sink_->on_rates(rates_);
    if (head.status >= 200 && head.status < 300) {
      reader_ = adapter_.reader(*endpoint_, head, stream_);
    }
  }

  void on_data(std::string_view bytes) override {
    if (ended_ || bytes.empty()) return;
    if (reader_ == nullptr) {
      error_body_.append(bytes.substr(0, kLongestErrorBody - error_body_.size()));
      return;
    }
    if (!std::exchange(began_, true)) sink_->on_begin();
    reader_->feed(bytes, on_delta_);
    if (reader_->complete()) end(reader_->finish());
  }

  void on_end(const io::HttpEnd& http_end) override {
    if (ended_) return;
    if (head_.status != 0 && reader_ == nullptr) {
      // The error's content counts, even if the page broke off.
      end(http_end.failure == HttpFailure::kCancelled
              ? failure_of(*endpoint_, http_end, true)
              : adapter_.failure(*endpoint_, model_, head_, error_body_));
    } else if (!http_end.whole()) {
      end(failure_of(*endpoint_, http_end, reader_ != nullptr));
    } else if (reader_ != nullptr) {
      end(reader_->finish());
    } else {
      const io::HttpEnd nothing{.failure = HttpFailure::kCut, .message = "no answer came"};
      end(failure_of(*endpoint_, nothing, false));
    }
  }

 private:
  void end(std::variant<ModelAnswer, Failure> result) {
    ended_ = true;
    reader_.reset();
    // Releases what the attempt held now: the exchange may be read for long.
    const auto sink = std::move(sink_);
    sink->on_end({.result = std::move(result), .rates = rates_});
  }

  // Constant after construction.
  const Adapter& adapter_;
  const std::shared_ptr<const Endpoint> endpoint_;
  const std::string model_;
  const bool stream_;
  // Owned by the network thread.
  std::shared_ptr<AttemptSink> sink_;
  AnswerReader::OnDelta on_delta_;
  io::HttpHead head_{};
  RateObservation rates_{};
  std::unique_ptr<AnswerReader> reader_{};
  std::string error_body_{};
  bool began_ = false;
  bool ended_ = false;
};

class HttpAttempt final : public Attempt {
 public:
  explicit HttpAttempt(std::unique_ptr<io::HttpExchange> exchange)
      : exchange_(std::move(exchange)) {}
  void cancel() override {
    if (exchange_ != nullptr) exchange_->cancel();
  }

 private:
  const std::unique_ptr<io::HttpExchange> exchange_;
};

FailureKind kind_of(HttpFailure failure, bool began) {
  switch (failure) {
    case HttpFailure::kBadUrl:
    case HttpFailure::kTls:
    case HttpFailure::kBomb:
    case HttpFailure::kNoLibrary:
      return FailureKind::kMisconfigured;
    case HttpFailure::kResolve:
    case HttpFailure::kConnect:
      return FailureKind::kConnection;
    case HttpFailure::kTimeout:
      return FailureKind::kTimeout;
    case HttpFailure::kCut:
    case HttpFailure::kProtocol:
      return began ? FailureKind::kCut : FailureKind::kConnection;
    case HttpFailure::kTooLarge:
      return FailureKind::kMalformed;
    case HttpFailure::kCancelled:
      return FailureKind::kCancelled;
  }
  return FailureKind::kConnection;
}

std::string_view advice(HttpFailure failure) {
  switch (failure) {
    case HttpFailure::kBadUrl:
      return "; the base URL must begin with https:// or http:// and name a host";
    case HttpFailure::kTls:
      return "; check the host's certificate and which ones this machine trusts";
    case HttpFailure::kNoLibrary:
      return "; install libcurl (package libcurl4)";
    case HttpFailure::kResolve:
      return "; check the host in the base URL";
    case HttpFailure::kBomb:
      return "; this is not a provider's answer: check the host in the base URL, and the proxy if "
             "there is one";
    default:
      return {};
  }
}

}  // namespace

Failure failure_of(const Endpoint& endpoint, const io::HttpEnd& end, bool began) {
  const HttpFailure failure = end.failure.value_or(HttpFailure::kCut);
  const internal::Speaker speaker = internal::speaker(endpoint, {});
  std::string seen = internal::shown(speaker, end.message);
  if (seen.empty()) seen = io::to_string(failure);
  return {.kind = kind_of(failure, began),
          .message = endpoint.provider + ": " + seen + std::string(advice(failure)),
          .status = 0,
          .retry_after = {},
          .request_id = {}};
}

HttpBackend::HttpBackend(const Adapter& adapter, Endpoint endpoint, io::Http& http)
    : adapter_(adapter),
      endpoint_(std::make_shared<const Endpoint>(std::move(endpoint))),
      http_(http) {}

std::unique_ptr<Attempt> HttpBackend::start(const std::string& model, const ModelRequest& request,
                                            std::shared_ptr<AttemptSink> sink) {
  auto exchange =
      std::make_shared<Exchange>(adapter_, endpoint_, model, request.stream, std::move(sink));
  return std::make_unique<HttpAttempt>(
      http_.start(adapter_.encode(*endpoint_, model, request), std::move(exchange)));
}

}  // namespace clever::provider
