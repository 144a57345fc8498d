#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/random.h"
#include "provider/backend.h"
#include "provider/governor/governor.h"
#include "provider/model_client.h"
#include "provider/registry.h"
#include "sim/events.h"

// A provider of models and the processes that call it, in the simulated world.
namespace clever::sim {

/// A provider's server. Every request that reaches it is counted in a sliding window, the strictest
/// way there is, whatever it is answered.
class ModelServer {
 public:
  struct Options {
    std::int64_t limit = 4;
    base::Duration window = std::chrono::seconds(1);
    /// Whether answers tell the limit.
    bool headers = true;
    std::optional<std::chrono::milliseconds> retry_after{};
    /// From when to when, since the beginning, nobody is served.
    base::Duration wall_begins = base::Duration::max();
    base::Duration wall_ends = base::Duration::max();
    provider::FailureKind wall_kind = provider::FailureKind::kOverloaded;
    /// How long it takes to reach it, and to answer: between the two.
    std::pair<base::Duration, base::Duration> way{std::chrono::milliseconds(20),
                                                  std::chrono::milliseconds(60)};
    std::pair<base::Duration, base::Duration> work{std::chrono::milliseconds(200),
                                                   std::chrono::milliseconds(3000)};
  };
  struct Counts {
    std::size_t requests = 0;
    std::size_t answered = 0;
    std::size_t above_limit = 0;
    std::size_t in_wall = 0;
    base::TimePoint last_answer{};
  };

  ModelServer(Events& events, base::Random& random, const Options& options)
      : events_(events), random_(random), options_(options), began_(events.now()) {}

  [[nodiscard]] base::Duration way() { return between(options_.way); }
  [[nodiscard]] base::Duration work() { return between(options_.work); }
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] bool in_wall() const {
    const base::Duration since = events_.now() - began_;
    return since >= options_.wall_begins && since < options_.wall_ends;
  }

  /// A request arrives now.
  [[nodiscard]] provider::AttemptEnd serve() {
    const base::TimePoint now = events_.now();
    ++counts_.requests;
    while (!seen_.empty() && now - seen_.front() >= options_.window) seen_.pop_front();
    const bool above = static_cast<std::int64_t>(seen_.size()) >= options_.limit;
    seen_.push_back(now);
    if (in_wall()) {
      ++counts_.in_wall;
      if (above) ++counts_.above_limit;
      return failed(options_.wall_kind, 529);
    }
    if (above) {
      ++counts_.above_limit;
      provider::AttemptEnd end = failed(provider::FailureKind::kRateLimited, 429);
      std::get<provider::Failure>(end.result).retry_after = options_.retry_after;
      return end;
    }
    ++counts_.answered;
    counts_.last_answer = now;
    return {provider::ModelAnswer{}, rates(now)};
  }

 private:
  [[nodiscard]] base::Duration between(std::pair<base::Duration, base::Duration> range) {
    const auto width = static_cast<double>((range.second - range.first).count());
    return range.first +
           base::Duration(static_cast<base::Duration::rep>(width * random_.uniform()));
  }
  [[nodiscard]] provider::AttemptEnd failed(provider::FailureKind kind, int status) const {
    provider::Failure failure;
    failure.kind = kind;
    failure.status = status;
    failure.message = "server: busy";
    return {failure, {}};
  }
  [[nodiscard]] provider::RateObservation rates(base::TimePoint now) const {
    provider::RateObservation rates;
    if (!options_.headers) return rates;
    const auto left = seen_.front() + options_.window - now;
    rates.requests.limit = options_.limit;
    rates.requests.remaining = options_.limit - static_cast<std::int64_t>(seen_.size());
    rates.requests.reset = std::chrono::ceil<std::chrono::milliseconds>(left);
    rates.requests.window = std::chrono::duration_cast<std::chrono::milliseconds>(options_.window);
    return rates;
  }

  Events& events_;
  base::Random& random_;
  const Options options_;
  const base::TimePoint began_;
  std::deque<base::TimePoint> seen_;
  Counts counts_;
};

/// Talks to a ModelServer.
class WorldBackend final : public provider::Backend {
 public:
  WorldBackend(Events& events, ModelServer& server) : events_(events), server_(server) {}

  std::unique_ptr<provider::Attempt> start(const std::string&, const provider::ModelRequest&,
                                           std::shared_ptr<provider::AttemptSink> sink) override {
    auto state = std::make_shared<State>();
    state->sink = std::move(sink);
    events_.after(server_.way(), [this, state] {
      if (state->sink == nullptr) return;
      const provider::AttemptEnd end = server_.serve();
      events_.after(server_.way(), [this, state, end] {
        if (!end.answered()) return finish(*state, end);
        if (state->sink == nullptr) return;
        state->sink->on_rates(end.rates);
        state->sink->on_begin();
        events_.after(server_.work(), [state, end] { finish(*state, end); });
      });
    });
    return std::make_unique<Handle>(state);
  }

 private:
  struct State {
    std::shared_ptr<provider::AttemptSink> sink;  // null once it has ended
  };
  static void finish(State& state, const provider::AttemptEnd& end) {
    if (const auto sink = std::exchange(state.sink, nullptr)) sink->on_end(end);
  }
  class Handle final : public provider::Attempt {
   public:
    explicit Handle(std::shared_ptr<State> state) : state_(std::move(state)) {}
    void cancel() override {
      provider::Failure failure;
      failure.kind = provider::FailureKind::kCancelled;
      finish(*state_, {failure, {}});
    }

   private:
    const std::shared_ptr<State> state_;
  };

  Events& events_;
  ModelServer& server_;
};

/// A store between the processes, some milliseconds away.
class DistantLimits final : public provider::SharedLimits {
 public:
  DistantLimits(Events& events, provider::SharedLimits& limits)
      : events_(events), limits_(limits) {}

  void lease(const provider::LaneKey& lane, const provider::PerMetered<std::int64_t>& wanted,
             Done done) override {
    ++requests_;
    events_.after(kDistance, [this, lane, wanted, done] {
      limits_.lease(lane, wanted, [this, done](const base::Result<provider::Lease>& lease) {
        events_.after(kDistance, [done, lease] { done(lease); });
      });
    });
  }
  void report(const provider::LaneKey& lane, const provider::LaneNews& news) override {
    ++requests_;
    events_.after(kDistance, [this, lane, news] { limits_.report(lane, news); });
  }
  [[nodiscard]] std::size_t requests() const { return requests_; }

 private:
  static constexpr base::Duration kDistance = std::chrono::milliseconds(2);
  Events& events_;
  provider::SharedLimits& limits_;
  std::size_t requests_ = 0;
};

/// A process with its registry and governor, and providers of one model "m" each.
class Process {
 public:
  using Backends = std::function<std::shared_ptr<provider::Backend>(const std::string& provider)>;

  Process(Events& events, std::uint64_t seed, Backends backends,
          provider::SharedLimits* shared = nullptr, provider::CircuitNews* news = nullptr)
      : random_(seed),
        circuits_(events.clock(), random_),
        alarms_(events),
        registry_([backends = std::move(backends)](const provider::Endpoint& endpoint)
                      -> base::Result<std::shared_ptr<provider::Backend>> {
          return backends(endpoint.provider);
        }),
        governor_({events.clock(), random_, circuits_, alarms_, shared, news}),
        client_(registry_, governor_, events.clock()) {}

  static provider::ProviderConfig provider_config(const std::string& name) {
    provider::ProviderConfig config;
    config.endpoint.provider = name;
    config.endpoint.base_url = "https://example.com";
    config.default_model = "m";
    return config;
  }
  void configure(const provider::ProviderSettings& settings) {
    registry_.reconfigure(settings).value();
  }
  [[nodiscard]] provider::ModelClient& client() { return client_; }
  [[nodiscard]] provider::Governor& governor() { return governor_; }
  [[nodiscard]] const SimulatedAlarms& alarms() const { return alarms_; }

 private:
  base::SeededRandom random_;
  base::CircuitBreaker circuits_;
  SimulatedAlarms alarms_;
  provider::ProviderRegistry registry_;
  provider::Governor governor_;
  provider::ModelClient client_;
};

}  // namespace clever::sim
