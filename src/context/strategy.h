#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "context/fragment.h"
#include "context/history.h"
#include "context/token_counter.h"
#include "index/code_index.h"
#include "model/id.h"
#include "model/phase.h"

namespace clever::context {

namespace internal {
class Findings;
}

/// An earlier decision of the plan, its parents or the project's other plans.
struct DecisionNote {
  std::string id{};
  std::string question{};
  std::string choice{};
  std::string rationale{};
  /// Files that its work changed.
  std::vector<std::string> paths{};
  /// True for a decision of this plan or one above it; false for another plan of the project.
  bool own = false;
};

/// What the context is for. A value; what it points to is immutable except for `findings`.
struct Question {
  model::PlanId plan{};
  model::Phase phase = model::Phase::kStrategize;
  /// The task, and the present step. The assembler cuts it at 64 KiB.
  std::string text{};
  /// Paths that must be considered: the step, the person or the model named them.
  std::vector<std::string> focus{};
  std::shared_ptr<const index::View> view{};
  std::shared_ptr<const History> history{};
  std::vector<DecisionNote> decisions{};
  /// Results that the strategies of one assembly share, so that none repeats another's work; the
  /// assembler sets it.
  std::shared_ptr<internal::Findings> findings{};
};

/// What a strategy looks at. Strategies with the same evidence are not independent: their combined
/// opinion counts once.
enum class Evidence : std::uint8_t { kContents, kHistory, kDecisions, kOther };

/// One way of finding relevant code. Thread-safe: one object serves all plans at once.
/// Deterministic. Owns what it uses, because an abandoned run may outlast its executor. Polls
/// `stop`. The executor checks and cuts its results, so they cannot harm an assembly.
class Strategy {
 public:
  virtual ~Strategy() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// 0 to 1: the quality of its results.
  [[nodiscard]] virtual double quality() const = 0;
  [[nodiscard]] virtual Evidence evidence() const { return Evidence::kOther; }
  /// The weight of its opinion on where to look, beside others with the same evidence, as
  /// bench/localise measures it. Quality is about the content shown, authority about the place.
  [[nodiscard]] virtual double authority() const { return quality(); }
  /// 0 to 1: whether it applies to this question; cheap. 0: it does not run.
  [[nodiscard]] virtual double confidence(const Question& question) const = 0;
  /// Time limit of one run. Zero: the executor's default.
  [[nodiscard]] virtual base::Duration time_limit() const { return base::Duration::zero(); }
  /// Best first. `budget`: the tokens of its share.
  [[nodiscard]] virtual base::Result<std::vector<Candidate>> propose(const Question& question,
                                                                     std::size_t budget,
                                                                     const base::StopToken& stop,
                                                                     base::Deadline deadline) = 0;
};

}  // namespace clever::context
