#include <memory>
#include <optional>
#include <utility>

#include "base/monitor.h"
#include "provider/call_record.h"
#include "provider/model_service.h"
#include "provider/price.h"
#include "service/commands/provider.h"
#include "service/commands/provider_call.h"
#include "storage/model_calls.h"

namespace clever::service {
namespace {

using provider::CallEnd;
using provider::Wait;

// Keeps a call's result for the thread that waits for it and shows its waits.
class Watcher final : public provider::CallSink {
 public:
  void on_wait(const std::string& model, const Wait& wait) override {
    state_.update([&](State& state) { state.wait = {model, wait}; });
  }
  void on_end(CallEnd end) override {
    state_.update([&](State& state) { state.end = std::move(end); });
  }

  // Shows waits until the call ends. A stop cancels the call, which then ends.
  CallEnd follow(provider::Call& call, Context& context) {
    const storage::Progress progress = context.progress();
    const base::StopCallback on_stop(context.stop(), [&call] { call.cancel(); });
    while (true) {
      const State state = next();
      if (state.end) return *state.end;
      progress(state.wait->second.sentence(state.wait->first, context.clock().now()), 0, 0);
    }
  }

 private:
  struct State {
    std::optional<std::pair<std::string, Wait>> wait{};
    std::optional<CallEnd> end{};
  };

  State next() {
    return state_
        .update_when(
            {}, base::Deadline::never(), [](const State& state) { return state.wait || state.end; },
            [](State& state) { return std::exchange(state, State()); })
        .value();
  }

  base::Monitor<State> state_;
};

ProviderLook look_of(const std::string& name, const CallEnd& end) {
  const std::size_t slash = name.find('/');
  ProviderLook look{.provider = end.trace.provider, .model = end.trace.model};
  if (look.provider.empty()) {
    look.provider = name.substr(0, slash);
    look.model = name.substr(slash + 1);
  }
  look.latency = end.trace.latency;
  look.first_byte = end.trace.first_byte.value_or(end.trace.latency);
  look.retries = end.trace.retries();
  for (const provider::MoveTrace& move : end.trace.moves) {
    look.moves.push_back(move.to + " instead of " + move.from + ": " + move.reason);
  }
  if (const auto* failure = std::get_if<provider::Failure>(&end.result)) {
    look.failure = *failure;
  } else {
    look.answer = std::get<provider::ModelAnswer>(end.result);
  }
  return look;
}

// An error in writing the trace is not a failure of the call.
void keep_trace(storage::Engine& store, const provider::ModelRequest& request, const CallEnd& end,
                const provider::ProviderSet& providers) {
  provider::RecordOptions options;
  const auto model = providers.resolve(end.trace.provider + "/" + end.trace.model);
  if (model.ok() && model->facts.price && end.trace.usage.known) {
    options.cost = provider::cost(*model->facts.price, end.trace.usage);
  }
  storage::UnitOfWork unit;
  storage::ModelCalls::add(unit, provider::call_record(request, end, options));
  static_cast<void>(store.commit(std::move(unit)));
}

}  // namespace

base::Result<ProviderLook> call_patiently(const provider::ProviderSettings& settings,
                                          const std::string& name, const AnswerSource& source,
                                          base::Duration patience, Context& context) {
  const std::shared_ptr<storage::Engine> store = store_if_any(context);
  const auto service = context.models().service(
      [&](const provider::Endpoint& endpoint) {
        return context.models().backend(endpoint, source);
      },
      store.get());
  CLEVER_TRY(service->registry().reconfigure(settings));
  const provider::ModelRequest request = tiny_request();
  const auto watcher = std::make_shared<Watcher>();
  const auto call = service->client().call(
      {.plan = "test", .model = name, .request = request, .patience = patience}, watcher);
  const CallEnd end = watcher->follow(*call, context);
  if (store) keep_trace(*store, request, end, *service->registry().snapshot());
  return look_of(name, end);
}

}  // namespace clever::service
