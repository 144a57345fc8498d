#pragma once
#include <memory>
#include <string>
#include <variant>

#include "provider/answer.h"
#include "provider/failure.h"
#include "provider/rate_observation.h"
#include "provider/request.h"

namespace clever::provider {

/// How one attempt to get an answer ended.
struct AttemptEnd {
  std::variant<ModelAnswer, Failure> result;
  RateObservation rates{};

  [[nodiscard]] bool answered() const noexcept { return result.index() == 0; }
};

/// Receives one attempt, on whatever thread the backend works on: must not block. Any number of
/// on_delta(), then on_end() exactly once.
class AttemptSink {
 public:
  virtual ~AttemptSink() = default;
  /// The first byte of the answer is here.
  virtual void on_begin() {}
  /// What the answer's head says about limits, as soon as it is known: a long answer must not keep
  /// it back. AttemptEnd has it again. Optional.
  virtual void on_rates(const RateObservation& /*rates*/) {}
  virtual void on_delta(const Delta& delta) = 0;
  virtual void on_end(AttemptEnd end) = 0;
};

/// An attempt that was started. Destroying the handle lets it go on by itself.
class Attempt {
 public:
  virtual ~Attempt() = default;
  /// on_end() follows with kCancelled unless it was on its way. Does not wait; from any thread.
  virtual void cancel() = 0;
};

/// Whatever answers a request once: a model behind HTTP, a script, a cassette. Never retries, never
/// waits for a limit: that is the governor's, in one place for all.
///
/// Thread-safe; immutable apart from what it counts.
class Backend {
 public:
  virtual ~Backend() = default;
  /// `model` is the name after the slash. Never blocks; whatever is wrong reaches the sink,
  /// possibly before this returns. The request is read before start() returns.
  virtual std::unique_ptr<Attempt> start(const std::string& model, const ModelRequest& request,
                                         std::shared_ptr<AttemptSink> sink) = 0;
};

}  // namespace clever::provider
