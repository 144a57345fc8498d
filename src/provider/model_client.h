#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/stop_token.h"
#include "provider/answer.h"
#include "provider/call_trace.h"
#include "provider/failure.h"
#include "provider/governor/wait.h"
#include "provider/registry.h"
#include "provider/request.h"

namespace clever::provider {

class Governor;

/// A request to a model.
struct CallRequest {
  /// The plan whose turn it uses: calls of different plans are served in turn.
  std::string plan{};
  /// For the trace.
  std::string decision{};
  std::string effect{};
  /// "provider/model" or an alias; empty for the configured default.
  std::string model{};
  /// The fallback models, in order. None: the configured chain; an empty list: no fallback.
  std::optional<std::vector<std::string>> fallback{};
  ModelRequest request{};
  /// How long to wait for transient failures to pass; none: as in the registry's settings.
  std::optional<base::Duration> patience{};
};

struct CallEnd {
  std::variant<ModelAnswer, Failure> result;
  CallTrace trace{};

  [[nodiscard]] bool answered() const noexcept { return result.index() == 0; }
};

/// Follows a call. Its methods are called one after the other, on any thread that moved the call,
/// never under a lock; they must not block. on_end() exactly once, and last.
class CallSink {
 public:
  virtual ~CallSink() = default;
  /// The call waits, or will wait, for more than 5 s. At most every 5 s.
  virtual void on_wait(const std::string& /*model*/, const Wait& /*wait*/) {}
  virtual void on_delta(const Delta& /*delta*/) {}
  /// The answer starts again: discard what was shown of it.
  virtual void on_restart() {}
  virtual void on_end(CallEnd end) = 0;
};

class ModelCall;

/// A call in progress. Destroying the handle detaches the call.
class Call {
 public:
  explicit Call(std::shared_ptr<ModelCall> call) : call_(std::move(call)) {}
  /// on_end() follows with kCancelled in any state of the call, unless another end was on its way.
  /// Does not wait; from any thread; any number of times.
  void cancel();

 private:
  const std::shared_ptr<ModelCall> call_;
};

/// Calls models: finds the model in the registry's snapshot, waits for its turn in the governor,
/// starts an attempt, and retries or moves to the next model of the chain according to the retry
/// policy (retry_policy.h). Nothing else retries.
///
/// A call keeps the snapshot that it began with. A waiting call holds no thread.
///
/// Thread-safe. Registry, governor and clock must outlive it and its calls.
class ModelClient {
 public:
  ModelClient(const ProviderRegistry& registry, Governor& governor, base::Clock& clock);

  /// Never blocks, and never fails by itself: every error reaches the sink, possibly before this
  /// returns.
  std::unique_ptr<Call> call(CallRequest request, std::shared_ptr<CallSink> sink);

  /// The same, but waits for the end on the caller's thread. A stop or the deadline cancels the
  /// call; then the end is kCancelled.
  [[nodiscard]] CallEnd call_and_wait(CallRequest request, const base::StopToken& stop,
                                      base::Deadline deadline = base::Deadline::never());

 private:
  // Constant after construction.
  const ProviderRegistry& registry_;
  Governor& governor_;
  base::Clock& clock_;
};

}  // namespace clever::provider
