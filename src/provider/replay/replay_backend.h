#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/executor.h"
#include "base/guarded.h"
#include "base/timer_queue.h"
#include "provider/backend.h"
#include "provider/replay/cassette.h"

namespace clever::provider {

/// Shown wherever a cassette answers.
inline constexpr std::string_view kReplayNotice =
    "replay: the answers come from a recorded run; no model is called.";

/// Plays one cassette for all backends of a run: repeated requests get their answers in the order
/// of recording.
///
/// Thread-safe.
class CassettePlayer {
 public:
  explicit CassettePlayer(Cassette cassette);

  /// Returns a kNotRecorded failure with the difference to the nearest recorded request if no
  /// answer is left.
  [[nodiscard]] std::variant<ModelAnswer, Failure> answer(const std::string& canonical);
  [[nodiscard]] const Cassette& cassette() const noexcept { return cassette_; }
  /// The number of recorded answers that were not requested.
  [[nodiscard]] std::size_t unused() const;
  [[nodiscard]] base::Redactor& redactor() noexcept { return redactor_; }

 private:
  [[nodiscard]] Failure not_recorded(const std::string& canonical) const;
  [[nodiscard]] Failure used_up(std::size_t times) const;

  base::Redactor redactor_;
  // Constant after construction.
  const Cassette cassette_;
  const std::map<base::Sha256Digest, std::vector<std::size_t>> places_;
  // Guarded: how many answers of a request were given.
  base::Guarded<std::map<base::Sha256Digest, std::size_t>> given_;
};

/// Answers from a cassette. Thread-safe; `timers` and `executor` outlive it and its attempts.
class ReplayBackend final : public Backend {
 public:
  ReplayBackend(std::string provider, std::shared_ptr<CassettePlayer> player,
                base::TimerQueue& timers, base::Executor& executor);

  std::unique_ptr<Attempt> start(const std::string& model, const ModelRequest& request,
                                 std::shared_ptr<AttemptSink> sink) override;

 private:
  const std::string provider_;
  const std::shared_ptr<CassettePlayer> player_;
  base::TimerQueue& timers_;
  base::Executor& executor_;
};

}  // namespace clever::provider
