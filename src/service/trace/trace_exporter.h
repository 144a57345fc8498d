#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "engine/observer.h"
#include "service/models.h"
#include "service/trace/otlp.h"

namespace clever::service {

/// Sends what plans of this process do to a collector of traces: each stretch of a plan's work, its
/// calls of models and its tools.
///
/// Thread-safe. No call blocks: spans wait in a bounded queue, and those that find it full, or that
/// the collector refuses, are dropped and counted. What it is given outlives it, and so does the
/// network that `models` has.
class TraceExporter final : public engine::Observer {
 public:
  struct Counts {
    std::uint64_t sent = 0;
    std::uint64_t dropped = 0;
    std::size_t waiting = 0;
  };

  TraceExporter(Models& models, base::Clock& clock) : models_(models), clock_(clock) {}

  /// Where spans go from now on, a URL; empty: nowhere, and none are kept.
  void send_to(std::string endpoint);
  /// Sends some of those that wait, unless others are on their way. Called now and then.
  void flush();
  [[nodiscard]] Counts counts() const;

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override;
  void on_tool(const model::PlanId& plan, const std::string& call, bool begins) override;
  void on_model_call(const storage::ModelCallRecord& call) override;

 private:
  struct Queue {
    std::string endpoint{};
    std::deque<TraceSpan> spans{};
    bool sends = false;
    Counts counts{};
    // When what is under way began.
    std::map<model::PlanId, model::Timestamp> plans{};
    std::map<std::pair<model::PlanId, std::string>, model::Timestamp> tools{};
  };
  class Sink;

  [[nodiscard]] model::Timestamp now() const;
  static void add(Queue& queue, TraceSpan span);

  // Constant after construction.
  Models& models_;
  base::Clock& clock_;
  // Shared with the answers that are awaited.
  const std::shared_ptr<base::Guarded<Queue>> queue_ = std::make_shared<base::Guarded<Queue>>();
};

}  // namespace clever::service
