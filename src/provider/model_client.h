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

/// A question to a model.
struct CallRequest {
  /// Whose turn it takes: calls of different plans are served in turn.
  std::string plan{};
  /// For the trace.
  std::string decision{};
  std::string effect{};
  /// "provider/model" or an alias; empty: the configured default.
  std::string model{};
  /// What may be turned to instead, in order. None: the configured chain; an empty list: nothing.
  std::optional<std::vector<std::string>> fallback{};
  ModelRequest request{};
  /// How long transient trouble is waited out; none: as long as the registry's settings say.
  std::optional<base::Duration> patience{};
};

struct CallEnd {
  std::variant<ModelAnswer, Failure> result;
  CallTrace trace{};

  [[nodiscard]] bool answered() const noexcept { return result.index() == 0; }
};

/// Follows a call. Its methods are called one after the other, on whatever thread moved the call,
/// never under a lock; they must not block. on_end() exactly once, and last.
class CallSink {
 public:
  virtual ~CallSink() = default;
  /// The call waits, or will, for more than 5 s. At most every 5 s.
  virtual void on_wait(const std::string& /*model*/, const Wait& /*wait*/) {}
  virtual void on_delta(const Delta& /*delta*/) {}
  /// The answer begins anew: what was shown of it is void.
  virtual void on_restart() {}
  virtual void on_end(CallEnd end) = 0;
};

/// A call under way. Destroying the handle lets it go on by itself.
class Call {
 public:
  virtual ~Call() = default;
  /// on_end() follows with kCancelled, wherever the call is, unless another end was on its way.
  /// Does not wait; from any thread; any number of times.
  virtual void cancel() = 0;
};

/// Calls models: finds the model in the registry's snapshot, waits for its turn in the governor,
/// starts an attempt, and tries again or turns to the next model of the chain as the retry policy
/// says (retry_policy.h). The only place where anything is tried again.
///
/// A call keeps the snapshot that it began with. While it waits it holds no thread.
///
/// Thread-safe. Registry, governor and clock must outlive it and its calls.
class ModelClient {
 public:
  ModelClient(const ProviderRegistry& registry, Governor& governor, base::Clock& clock);

  /// Never blocks, and never fails by itself: whatever is wrong reaches the sink, possibly before
  /// this returns.
  std::unique_ptr<Call> call(CallRequest request, std::shared_ptr<CallSink> sink);

  /// The same, waiting for the end on the caller's thread. A stop or the deadline cancels the call;
  /// the end then is kCancelled.
  [[nodiscard]] CallEnd call_and_wait(CallRequest request, const base::StopToken& stop,
                                      base::Deadline deadline = base::Deadline::never());

 private:
  // Constant after construction.
  const ProviderRegistry& registry_;
  Governor& governor_;
  base::Clock& clock_;
};

}  // namespace clever::provider
