#include "worker/async_worker.h"

#include "worker/internal/worker_state.h"

namespace clever::worker {

bool Slot::give_up() const { return state_->give_up_slot(lease_); }

void Slot::take_again(std::function<void()> go) const {
  state_->take_slot_again(lease_, std::move(go));
}

Finish::Finish(std::shared_ptr<internal::WorkerState> state, Lease lease)
    : state_(std::move(state)), lease_(lease) {}

Finish::~Finish() {
  if (state_) (*this)(base::internal_error("the attempt ended without an answer"));
}

void Finish::operator()(base::Result<void> result) {
  const auto state = std::move(state_);
  if (result) {
    state->ended(lease_, std::nullopt);
  } else {
    state->ended(lease_, Failure{lease_, result.error().to_string()});
  }
}

void Finish::put_off(std::string why, std::chrono::microseconds delay) {
  const auto state = std::move(state_);
  state->ended(lease_, Failure{lease_, waiting_for(why), delay});
}

void Finish::give_back() {
  const auto state = std::move(state_);
  state->gave_back(lease_);
}

AsyncWorker::AsyncWorker(JobStore& store, base::Executor& executor, base::TimerQueue& timers,
                         base::Clock& clock, Handler handler, Options options)
    : state_(std::make_shared<internal::WorkerState>(store, executor, timers, clock,
                                                     std::move(handler), options)) {
  subscriptions_ = store.subscribe(
      options.queue, [state = state_] { state->wake(); }, [state = state_] { state->renew(); });
  state_->renew();
  state_->wake();
}

AsyncWorker::~AsyncWorker() {
  subscriptions_.clear();
  state_->stop_claiming();
  state_->stop_running();
  state_->wait_until_drained({}, base::Deadline::never()).value();
  state_->drop_timers();
}

void AsyncWorker::stop_claiming() { state_->stop_claiming(); }

base::Result<void> AsyncWorker::drain(const base::StopToken& stop, base::Deadline deadline) {
  state_->stop_claiming();
  return state_->wait_until_drained(stop, deadline);
}

}  // namespace clever::worker
