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

/// Receives one attempt, on any thread of the backend: must not block. Any number of on_delta(),
/// then on_end() exactly once.
class AttemptSink {
 public:
  virtual ~AttemptSink() = default;
  /// The first byte of the answer arrived.
  virtual void on_begin() {}
  /// The limits in the answer's head, as soon as it arrives: a long answer must not delay them.
  /// AttemptEnd repeats them. Optional.
  virtual void on_rates(const RateObservation& /*rates*/) {}
  virtual void on_delta(const Delta& delta) = 0;
  virtual void on_end(AttemptEnd end) = 0;
};

/// A started attempt. Destroying the handle detaches the attempt.
class Attempt {
 public:
  virtual ~Attempt() = default;
  /// on_end() follows with kCancelled unless another end was on its way. Does not wait; from any
  /// thread.
  virtual void cancel() = 0;
};

/// Answers a request once: a model behind HTTP, a script, a cassette. Never retries, and never
/// waits for a limit; the governor does that for all.
///
/// Thread-safe; immutable except for its counters.
class Backend {
 public:
  virtual ~Backend() = default;
  /// `model` is the name after the slash. Never blocks; every error reaches the sink, possibly
  /// before this returns. start() reads the request before it returns.
  virtual std::unique_ptr<Attempt> start(const std::string& model, const ModelRequest& request,
                                         std::shared_ptr<AttemptSink> sink) = 0;
};

}  // namespace clever::provider
