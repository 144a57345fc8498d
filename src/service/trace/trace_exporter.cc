#include "service/trace/trace_exporter.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "plan/state.h"

namespace clever::service {
namespace {

using model::Document;

constexpr std::size_t kMostWaiting = 4096;
constexpr std::size_t kMostUnderWay = 20'000;
constexpr std::size_t kAtOnce = 512;
constexpr std::size_t kLargestReply = std::size_t{64} << 10U;
constexpr std::chrono::seconds kCollectorTakes{10};

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

}  // namespace

/// The collector's answer to some spans.
class TraceExporter::Sink final : public io::HttpSink {
 public:
  Sink(std::shared_ptr<base::Guarded<Queue>> queue, std::size_t count)
      : queue_(std::move(queue)), count_(count) {}

  void on_head(const io::HttpHead& head) override { status_ = head.status; }
  void on_data(std::string_view /*bytes*/) override {}
  void on_end(const io::HttpEnd& end) override {
    const bool took = end.whole() && status_ >= 200 && status_ < 300;
    queue_->with([&](Queue& queue) {
      queue.sends = false;
      (took ? queue.counts.sent : queue.counts.dropped) += count_;
    });
  }

 private:
  const std::shared_ptr<base::Guarded<Queue>> queue_;
  const std::size_t count_;
  int status_ = 0;
};

model::Timestamp TraceExporter::now() const {
  return std::chrono::floor<std::chrono::microseconds>(clock_.wall_now());
}

void TraceExporter::send_to(std::string endpoint) {
  queue_->with([&](Queue& queue) {
    if (endpoint.empty()) queue.spans.clear();
    queue.endpoint = std::move(endpoint);
  });
}

TraceExporter::Counts TraceExporter::counts() const {
  return queue_->with([](const Queue& queue) {
    Counts counts = queue.counts;
    counts.waiting = queue.spans.size();
    return counts;
  });
}

void TraceExporter::add(Queue& queue, TraceSpan span) {
  if (queue.endpoint.empty()) return;
  if (queue.spans.size() == kMostWaiting) {
    ++queue.counts.dropped;
    return;
  }
  queue.spans.push_back(std::move(span));
}

void TraceExporter::flush() {
  std::string endpoint;
  const auto spans = queue_->with([&](Queue& queue) {
    std::vector<TraceSpan> some;
    if (queue.sends || queue.spans.empty()) return some;
    const auto count = static_cast<std::ptrdiff_t>(std::min(kAtOnce, queue.spans.size()));
    std::move(queue.spans.begin(), queue.spans.begin() + count, std::back_inserter(some));
    queue.spans.erase(queue.spans.begin(), queue.spans.begin() + count);
    queue.sends = true;
    endpoint = queue.endpoint;
    return some;
  });
  if (spans.empty()) return;
  // The answer comes to the sink, whatever becomes of this handle.
  static_cast<void>(models_.http().start({.url = endpoint,
                                          .headers = {{"Content-Type", "application/json"}},
                                          .body = otlp_body(spans),
                                          .deadlines = {.connect = kCollectorTakes,
                                                        .first_byte = kCollectorTakes,
                                                        .total = kCollectorTakes},
                                          .answer_limit = kLargestReply},
                                         std::make_shared<Sink>(queue_, spans.size())));
}

void TraceExporter::on_events(const plan::State& state,
                              const std::vector<model::StoredEvent>& events) {
  if (events.empty()) return;
  queue_->with([&](Queue& queue) {
    if (queue.endpoint.empty()) return;
    if (queue.plans.size() < kMostUnderWay) queue.plans.emplace(state.id, events.front().time);
    if (!state.is_at_rest()) return;
    const auto began = queue.plans.find(state.id);
    if (began == queue.plans.end()) return;
    const bool failed = state.state == model::PlanState::kErrored;
    add(queue,
        {.name = "invoke_agent",
         .plan = state.id,
         .begin = began->second,
         .end = events.back().time,
         .attributes = Document::map()
                           .set("gen_ai.operation.name", "invoke_agent")
                           .set("gen_ai.agent.id", state.id.to_string())
                           .set("gen_ai.agent.name", state.settings.actor)
                           .set("clever.plan.parent",
                                state.parent ? Document(state.parent.to_string()) : Document())
                           .set("clever.plan.phase", model::to_string(state.phase))
                           .set("clever.plan.state", model::to_string(state.state)),
         .error = failed ? "errored" : ""});
    queue.plans.erase(began);
  });
}

void TraceExporter::on_tool(const model::PlanId& plan, const std::string& call, bool begins) {
  const model::Timestamp time = now();
  queue_->with([&](Queue& queue) {
    if (queue.endpoint.empty()) return;
    const std::pair key(plan, call);
    if (begins) {
      if (queue.tools.size() < kMostUnderWay) queue.tools.insert_or_assign(key, time);
      return;
    }
    const auto began = queue.tools.find(key);
    if (began == queue.tools.end()) return;
    const std::string name = first_word(call);
    add(queue, {.name = "execute_tool " + name,
                .plan = plan,
                .key = "tool/" + call + "/" + std::to_string(model::to_microseconds(time)),
                .begin = began->second,
                .end = time,
                .attributes = Document::map()
                                  .set("gen_ai.operation.name", "execute_tool")
                                  .set("gen_ai.tool.name", name)});
    queue.tools.erase(began);
  });
}

void TraceExporter::on_model_call(const storage::ModelCallRecord& call) {
  queue_->with([&](Queue& queue) {
    if (!queue.endpoint.empty()) add(queue, span_of(call));
  });
}

}  // namespace clever::service
