#include "reports/batch_ours.h"

#include <algorithm>
#include <optional>

#include "base/monitor.h"

namespace clever::reports::batch {

class SlowStrategy final : public context::Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "slow"; }
  [[nodiscard]] double quality() const override { return 1; }
  [[nodiscard]] double confidence(const context::Question& /*question*/) const override {
    return 1;
  }
  [[nodiscard]] base::Result<std::vector<context::Candidate>> propose(
      const context::Question& /*question*/, std::size_t /*budget*/, const base::StopToken& stop,
      base::Deadline /*deadline*/) override {
    state_.update([&](State& state) {
      state.stop = stop;
      state.most = std::max(state.most, ++state.running);
    });
    const auto reported = [](const State& state) { return state.report.has_value(); };
    const auto success =
        state_.update_when({}, base::Deadline::never(), reported, [](State& state) {
          --state.running;
          return *state.report;
        });
    if (!*success) return base::unavailable("it failed");
    return std::vector<context::Candidate>{};
  }

  void report(bool success) {
    state_.update([&](State& state) { state.report = state.report.value_or(success); });
  }
  [[nodiscard]] bool stop_requested() const {
    const auto stop = state_.read([](const State& state) { return state.stop; });
    return !stop || stop->stop_requested();
  }
  [[nodiscard]] int most() const {
    return state_.read([](const State& state) { return state.most; });
  }

 private:
  struct State {
    std::optional<bool> report{};
    std::optional<base::StopToken> stop{};
    int running = 0;
    int most = 0;
  };
  base::Monitor<State> state_;
};

Ours::Ours()
    : slow_(std::make_shared<SlowStrategy>()),
      executor_(context::ParallelStrategyExecutor::make(clock_, random_)) {}

Ours::~Ours() { slow_->report(true); }

void Ours::deadline_passes() { (void)executor_->run({}, {{slow_, 1}}); }
void Ours::report(bool success) { slow_->report(success); }
bool Ours::stop_requested() const { return slow_->stop_requested(); }
int Ours::running() const { return slow_->most(); }
int Ours::failures() const {
  return static_cast<int>(executor_->circuits().circuit("slow")->view().total_failures);
}

}  // namespace clever::reports::batch
