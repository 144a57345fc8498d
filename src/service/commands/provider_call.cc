#include "service/commands/provider_call.h"

#include <chrono>
#include <memory>
#include <utility>

#include "base/monitor.h"
#include "io/http_fetch.h"
#include "provider/adapter.h"

namespace clever::service {
namespace {

using provider::Failure;
using provider::FailureKind;

constexpr std::chrono::seconds kListPatience{20};
constexpr std::chrono::seconds kCallPatience{120};
constexpr std::chrono::seconds kCancelPatience{5};
// Enough for a model that thinks before its one word.
constexpr std::int64_t kMostAnswerTokens = 512;

Failure failure_of(const std::string& provider, const base::Error& error) {
  const bool stopped = error.code() == base::ErrorCode::kCancelled;
  const bool late = error.code() == base::ErrorCode::kDeadlineExceeded;
  return {.kind = stopped ? FailureKind::kCancelled
                          : (late ? FailureKind::kTimeout : FailureKind::kConnection),
          .message = provider + ": " + error.sentence()};
}

bool is_success(int status) { return status >= 200 && status < 300; }

// Keeps an attempt's result for the thread that waits for it.
class Waiter final : public provider::AttemptSink {
 public:
  explicit Waiter(const base::Clock& clock) : clock_(clock) {}

  void on_begin() override {
    state_.update([&](State& state) { state.began = clock_.now(); });
  }
  void on_delta(const provider::Delta& /*delta*/) override {}
  void on_end(provider::AttemptEnd end) override {
    state_.update([&](State& state) { state.end = std::move(end); });
  }

  base::Result<void> wait(const base::StopToken& stop, base::Deadline deadline) {
    return state_.wait(stop, deadline, [](const State& state) { return state.end.has_value(); });
  }
  std::optional<provider::AttemptEnd> end() const {
    return state_.read([](const State& state) { return state.end; });
  }
  std::optional<base::TimePoint> began() const {
    return state_.read([](const State& state) { return state.began; });
  }

 private:
  struct State {
    std::optional<base::TimePoint> began;
    std::optional<provider::AttemptEnd> end;
  };
  const base::Clock& clock_;
  base::Monitor<State> state_;
};

std::variant<provider::ModelAnswer, Failure> result_of(const std::string& provider,
                                                       const base::Result<void>& waited,
                                                       Waiter& waiter) {
  if (auto end = waiter.end(); end && (waited.ok() || end->answered())) {
    return std::move(end->result);
  }
  return failure_of(provider, waited.ok() ? base::internal_error("the call ended without a result")
                                          : waited.error());
}

}  // namespace

provider::ModelRequest tiny_request() {
  provider::ModelRequest request;
  request.messages.push_back({model::Role::kUser, {model::Text{"Reply with the single word OK."}}});
  request.max_output_tokens = kMostAnswerTokens;
  request.cache_prompt = false;
  return request;
}

ProviderLook list_models(const provider::Endpoint& endpoint, Context& context) {
  ProviderLook look{.provider = endpoint.provider};
  const provider::Adapter* adapter = provider::adapter(endpoint.wire);
  if (adapter == nullptr) return look;
  const base::TimePoint begin = context.clock().now();
  const auto answer =
      io::fetch(context.models().http(), adapter->list_models(endpoint), context.stop(),
                base::Deadline::after(context.clock(), kListPatience));
  look.latency = context.clock().now() - begin;
  if (!answer.ok()) {
    look.failure = failure_of(endpoint.provider, answer.error());
  } else if (!is_success(answer->head.status)) {
    look.failure = adapter->failure(endpoint, "", answer->head, answer->body);
  } else if (auto models = adapter->read_models(answer->body); models.ok()) {
    look.models = *std::move(models);
  } else {
    look.failure = Failure{.kind = FailureKind::kMisconfigured,
                           .message = endpoint.provider + ": " + models.error().sentence() +
                                      "; is " + endpoint.base_url + " the address of its API?",
                           .status = answer->head.status};
  }
  return look;
}

ProviderLook call_model(const std::string& provider, const std::string& model,
                        provider::Backend& backend, Context& context) {
  ProviderLook look{.provider = provider, .model = model};
  const base::TimePoint begin = context.clock().now();
  const auto waiter = std::make_shared<Waiter>(context.clock());
  const auto attempt = backend.start(model, tiny_request(), waiter);
  const auto waited =
      waiter->wait(context.stop(), base::Deadline::after(context.clock(), kCallPatience));
  if (!waited.ok() && attempt) {
    attempt->cancel();
    // A result that arrives later does not matter.
    static_cast<void>(waiter->wait({}, base::Deadline::after(context.clock(), kCancelPatience)));
  }
  look.latency = context.clock().now() - begin;
  look.first_byte = waiter->began().value_or(begin) - begin;
  auto result = result_of(provider, waited, *waiter);
  if (auto* answer = std::get_if<provider::ModelAnswer>(&result)) {
    look.answer = std::move(*answer);
  } else {
    look.failure = std::get<Failure>(std::move(result));
  }
  return look;
}

}  // namespace clever::service
