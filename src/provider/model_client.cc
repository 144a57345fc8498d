#include "provider/model_client.h"

#include "base/monitor.h"
#include "provider/internal/model_call.h"

namespace clever::provider {
namespace {

class Mailbox final : public CallSink {
 public:
  void on_end(CallEnd end) override {
    end_.update([&](std::optional<CallEnd>& slot) { slot = std::move(end); });
  }
  base::Result<CallEnd> take(const base::StopToken& stop, base::Deadline deadline) {
    return end_.update_when(
        stop, deadline, [](const std::optional<CallEnd>& slot) { return slot.has_value(); },
        [](std::optional<CallEnd>& slot) { return *std::exchange(slot, std::nullopt); });
  }

 private:
  base::Monitor<std::optional<CallEnd>> end_;
};

}  // namespace

void Call::cancel() { call_->cancel(); }

ModelClient::ModelClient(const ProviderRegistry& registry, Governor& governor, base::Clock& clock)
    : registry_(registry), governor_(governor), clock_(clock) {}

std::unique_ptr<Call> ModelClient::call(CallRequest request, std::shared_ptr<CallSink> sink) {
  const auto providers = registry_.snapshot();
  if (!request.patience) request.patience = providers->patience();
  auto call = std::make_shared<ModelCall>(std::move(request), std::move(sink), governor_, clock_);
  call->start(*providers);
  return std::make_unique<Call>(std::move(call));
}

CallEnd ModelClient::call_and_wait(CallRequest request, const base::StopToken& stop,
                                   base::Deadline deadline) {
  const auto mailbox = std::make_shared<Mailbox>();
  const auto handle = call(std::move(request), mailbox);
  base::Result<CallEnd> end = mailbox->take(stop, deadline);
  if (!end.ok()) {
    handle->cancel();
    end = mailbox->take({}, base::Deadline::never());
  }
  return std::move(end).value();
}

}  // namespace clever::provider
