#pragma once
// Report #7031: the provider registry, as reported, as proposed, and a correct one to show that the
// checks can be passed.

#include <memory>
#include <optional>

#include "base/guarded.h"
#include "reports/environment.h"
#include "reports/python.h"

namespace clever::reports::registry {

/// The two fields always agree; a reader that sees them differ saw a mixture.
struct Settings {
  int version = 0;
  int mirror = 0;
};
[[nodiscard]] inline Settings settings_of_version(int version) { return {version, version}; }

/// The instance that callers share, or should: settings fixed at creation, and the breaker's state.
class Instance {
 public:
  explicit Instance(Settings settings) : settings_(settings) { construction_work(); }
  [[nodiscard]] Settings settings() const { return settings_; }
  void record_failure() { failures_.write(failures_.read() + 1); }
  [[nodiscard]] int failures() const { return failures_.read(); }

 private:
  const Settings settings_;
  python::Variable<int> failures_{0};
};

/// "If there is none, or settings are given: create one."
class Reported {
 public:
  using Handle = std::shared_ptr<Instance>;
  Handle obtain() { return provider_registry(std::nullopt); }
  Handle reconfigure(Settings settings) { return provider_registry(settings); }

 private:
  Handle provider_registry(std::optional<Settings> settings) {
    if (!global_.read() || settings) {
      global_.write(std::make_shared<Instance>(settings.value_or(Settings{})));
    }
    return global_.read();
  }

  python::Reference<Instance> global_;
};

/// Double-checked locking around the same condition.
class Proposed {
 public:
  using Handle = std::shared_ptr<Instance>;
  Handle obtain() { return provider_registry(std::nullopt); }
  Handle reconfigure(Settings settings) { return provider_registry(settings); }

 private:
  Handle provider_registry(std::optional<Settings> settings) {
    if (!global_.read() || settings) {
      const base::MutexLock lock(mutex_);
      if (!global_.read() || settings) {
        global_.write(std::make_shared<Instance>(settings.value_or(Settings{})));
      }
    }
    return global_.read();
  }

  base::Mutex mutex_{base::LockRank::kComponent};
  python::Reference<Instance> global_;
};

/// One instance for good; settings change inside it.
class Control {
 public:
  class Live {
   public:
    Live() { construction_work(); }
    [[nodiscard]] Settings settings() const {
      return state_.with([](const State& state) { return state.settings; });
    }
    void apply(Settings settings) {
      state_.with([&](State& state) { state.settings = settings; });
    }
    void record_failure() {
      state_.with([](State& state) { ++state.failures; });
    }
    [[nodiscard]] int failures() const {
      return state_.with([](const State& state) { return state.failures; });
    }

   private:
    struct State {
      Settings settings;
      int failures = 0;
    };
    base::Guarded<State> state_;
  };

  using Handle = std::shared_ptr<Live>;
  Handle obtain() { return live_; }
  Handle reconfigure(Settings settings) {
    live_->apply(settings);
    return live_;
  }

 private:
  const Handle live_ = std::make_shared<Live>();
};

}  // namespace clever::reports::registry
