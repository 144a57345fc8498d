#include "engine/validation_pipeline.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/plant.h"

namespace clever::engine {
namespace {

using model::ValidationResult;
using Results = base::Result<std::vector<ValidationResult>>;

// One run. Each lane takes one validation after another. The lane that sees that all lanes have
// ended and everything was reported ends the run. Shared by its lanes.
class Run : public std::enable_shared_from_this<Run> {
 public:
  Run(ValidationPipeline::Order order, ValidationPipeline::Done done)
      : order_(std::move(order)), done_(std::move(done)) {
    board_.with([&](Board& board) { board.results.resize(order_.validations.size()); });
  }

  // The starter counts as a lane, so that the run does not end before all lanes are posted.
  void start(base::Executor& executor, std::size_t parallel) {
    const std::size_t lanes =
        std::min(std::max<std::size_t>(parallel, 1), order_.validations.size());
    board_.with([&](Board& board) { board.lanes = lanes + 1; });
    for (std::size_t i = 0; i < lanes; ++i) {
      auto posted = executor.post([self = shared_from_this()] { self->work(); });
      if (!posted.ok()) leave(std::move(posted).error());
    }
    leave(std::nullopt);
  }

 private:
  struct Board {
    std::size_t next = 0;
    std::size_t arrived = 0;
    std::size_t lanes = 0;
    std::vector<std::optional<ValidationResult>> results{};
    std::deque<std::size_t> untold{};
    bool is_telling = false;
    std::optional<base::Error> refusal{};
  };

  void work() {
    while (const auto index = take()) {
      put(*index, order_.check(order_.validations[*index], order_.stop));
      tell();
    }
    leave(std::nullopt);
  }

  std::optional<std::size_t> take() {
    if (order_.stop.stop_requested()) return std::nullopt;
    return board_.with([](Board& board) -> std::optional<std::size_t> {
      if (board.next == board.results.size()) return std::nullopt;
      return board.next++;
    });
  }

  void put(std::size_t index, ValidationResult result) {
    board_.with([&](Board& board) {
      const bool by_arrival = base::planted("validations.are_told_by_arrival");
      board.results[by_arrival ? board.arrived++ : index] = std::move(result);
      board.untold.push_back(index);
    });
  }

  // One lane reports at a time, without the lock; it also reports what others add meanwhile.
  void tell() {
    while (auto result = next_to_tell()) {
      if (order_.on_result) order_.on_result(*result);
      board_.with([](Board& board) { board.is_telling = false; });
    }
  }

  std::optional<ValidationResult> next_to_tell() {
    return board_.with([](Board& board) -> std::optional<ValidationResult> {
      if (board.is_telling || board.untold.empty()) return std::nullopt;
      board.is_telling = true;
      const std::size_t index = board.untold.front();
      board.untold.pop_front();
      return board.results[index];
    });
  }

  // A reporting lane has not left yet, so the last lane to leave has nothing left to report.
  void leave(std::optional<base::Error> refusal) {
    const bool is_last = board_.with([&](Board& board) {
      if (refusal && !board.refusal) board.refusal = std::move(refusal);
      return --board.lanes == 0;
    });
    if (is_last) std::exchange(done_, nullptr)(outcome());
  }

  Results outcome() {
    if (order_.stop.stop_requested()) return base::cancelled("stopped while validations ran");
    return board_.with([](Board& board) -> Results {
      std::vector<ValidationResult> results;
      for (auto& result : board.results) {
        if (!result)
          return board.refusal.value_or(base::internal_error("a validation was not run"));
        results.push_back(std::move(*result));
      }
      return results;
    });
  }

  // Constant after construction, except for done_, which the last lane takes.
  const ValidationPipeline::Order order_;
  ValidationPipeline::Done done_;
  base::Guarded<Board> board_;
};

}  // namespace

void ValidationPipeline::start(Order order, Done done) {
  std::make_shared<Run>(std::move(order), std::move(done))->start(executor_, options_.parallel);
}

Results ValidationPipeline::run(Order order) {
  base::Monitor<std::optional<Results>> ended;
  start(std::move(order), [&](Results results) {
    ended.update([&](std::optional<Results>& value) { value = std::move(results); });
  });
  Results results = base::internal_error("validations did not end");
  (void)ended.update_when(
      {}, [](const auto& value) { return value.has_value(); },
      [&](auto& value) { results = std::move(*value); });
  return results;
}

}  // namespace clever::engine
