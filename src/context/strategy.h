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
  /// Of this plan or one above it; else of another plan of the project.
  bool own = false;
};

/// What context is wanted for. A value; what it points to is immutable but for `findings`.
struct Question {
  model::PlanId plan{};
  model::Phase phase = model::Phase::kStrategize;
  /// The task, and the present step. Bounded by the assembler (64 KiB): the rest is not read.
  std::string text{};
  /// Paths that must be considered: named by the step, the person or the model.
  std::vector<std::string> focus{};
  std::shared_ptr<const index::View> view{};
  std::shared_ptr<const History> history{};
  std::vector<DecisionNote> decisions{};
  /// What the strategies of one assembly share, so that none does another's work again; the
  /// assembler's.
  std::shared_ptr<internal::Findings> findings{};
};

/// What a strategy looks at. Those that look at the same are not independent of each other: when
/// opinions are put together they speak with one voice.
enum class Evidence : std::uint8_t { kContents, kHistory, kDecisions, kOther };

/// One way of finding what matters. Thread-safe: one object serves all plans at once.
/// Deterministic. Owns what it uses: a run that was given up may go on when everybody else has
/// left. Polls `stop`. Whatever it returns is checked and cut by the executor: it cannot harm an
/// assembly.
class Strategy {
 public:
  virtual ~Strategy() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// 0 to 1: how good what it finds is, by the domain's table.
  [[nodiscard]] virtual double quality() const = 0;
  [[nodiscard]] virtual Evidence evidence() const { return Evidence::kOther; }
  /// How much its opinion of where to look counts beside others from the same evidence, as
  /// bench/localise measures it. Quality is about what is shown, this about who is asked the way.
  [[nodiscard]] virtual double authority() const { return quality(); }
  /// 0 to 1: whether it can say anything about this question; cheap. 0: it is not run.
  [[nodiscard]] virtual double confidence(const Question& question) const = 0;
  /// How long one run may take. Zero: as long as the executor gives to all.
  [[nodiscard]] virtual base::Duration time_limit() const { return base::Duration::zero(); }
  /// Best first. `budget`: tokens that its share has room for.
  [[nodiscard]] virtual base::Result<std::vector<Candidate>> propose(const Question& question,
                                                                     std::size_t budget,
                                                                     const base::StopToken& stop,
                                                                     base::Deadline deadline) = 0;
};

}  // namespace clever::context
