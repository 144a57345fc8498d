#include "tool/runner.h"

#include <algorithm>

#include "base/plant.h"
#include "base/utf8.h"
#include "sandbox/workspace.h"
#include "tool/change_capture.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/call.h"
#include "tool/internal/filled.h"
#include "tool/internal/workspace_gate.h"

namespace clever::tool {
namespace {

using internal::Call;

void fail(CallResult& result, Outcome outcome, std::string text) {
  result.outcome = outcome;
  result.answer = {.text = std::move(text), .failed = true};
}

void fail(CallResult& result, const base::Error& error) {
  const bool late = error.code() == base::ErrorCode::kDeadlineExceeded;
  const bool stopped = error.code() == base::ErrorCode::kCancelled;
  fail(result,
       late      ? Outcome::kTimedOut
       : stopped ? Outcome::kCancelled
                 : Outcome::kFailed,
       error.sentence());
}

model::Timestamp timestamp(const base::Clock& clock) {
  return std::chrono::time_point_cast<model::Timestamp::duration>(clock.wall_now());
}

std::string names_of(const std::vector<std::shared_ptr<Call>>& calls) {
  std::string names;
  for (const auto& call : calls) names += (names.empty() ? "" : ", ") + call->result.tool;
  return names;
}

// Returns whether the lines of its answer stand for lines of files.
bool shows_files(const Call& call) {
  if (call.is_refused()) return false;
  const ToolSpec& spec = call.tool().tool->spec();
  return spec.source == Source::kBuiltin && spec.capabilities.read_only;
}

// The number of calls that may run in parallel: consecutive read-only ones, or one.
std::size_t segment_length(const std::vector<std::shared_ptr<Call>>& calls, std::size_t from) {
  std::size_t end = from;
  while (end < calls.size() && calls[end]->is_read_only()) ++end;
  return std::max(end - from, std::size_t{1});
}

}  // namespace

std::string_view to_string(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kAnswered:
      return "answered";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kTimedOut:
      return "timed_out";
    case Outcome::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

ToolRunner::ToolRunner(base::Clock& clock, Options options)
    : clock_(clock),
      options_(options),
      gate_(std::make_unique<internal::WorkspaceGate>()),
      pool_({.name = "tools", .threads = options.threads}) {}

ToolRunner::~ToolRunner() { closing_.request_stop(); }

std::vector<CallResult> ToolRunner::run(const Turn& turn) {
  Calls calls;
  Calls accepted;
  for (const model::ToolCall& call : turn.calls) {
    calls.push_back(prepare(turn, call));
    if (!calls.back()->is_refused()) accepted.push_back(calls.back());
  }
  for (std::size_t at = 0; at < accepted.size();) {
    const std::size_t length = segment_length(accepted, at);
    const auto begin = accepted.begin() + static_cast<std::ptrdiff_t>(at);
    run_segment(turn, Calls(begin, begin + static_cast<std::ptrdiff_t>(length)));
    at += length;
  }
  std::vector<CallResult> results;
  for (const auto& call : calls) {
    finish(turn, *call);
    const bool shares_a_slot = base::planted("tool_runner.shares_a_result_slot");
    results.push_back(shares_a_slot ? calls.front()->result : std::move(call->result));
  }
  return results;
}

std::shared_ptr<Call> ToolRunner::prepare(const Turn& turn, const model::ToolCall& call) {
  auto prepared = std::make_shared<Call>(turn, call, clock_, closing_.token(), options_.secrets);
  auto tool = turn.tools->find(call.name);
  if (!tool.ok()) {
    fail(prepared->result, Outcome::kRefused, tool.error().sentence());
    return prepared;
  }
  auto input = (*tool)->input->check(call.arguments);
  if (!input.ok()) {
    fail(prepared->result, Outcome::kRefused,
         filled("{} was not run: {}\nIt takes {}.", call.name, input.error().sentence(),
                (*tool)->input->signature()));
    return prepared;
  }
  prepared->accept(*tool, std::move(input).value());
  return prepared;
}

void ToolRunner::run_segment(const Turn& turn, const Calls& segment) {
  if (turn.stop.stop_requested()) {
    for (const auto& call : segment) {
      fail(call->result, Outcome::kCancelled, "not run: the turn was stopped");
    }
  } else if (turn.workspace == nullptr) {
    run_calls(turn, segment);
  } else {
    run_in_workspace(turn, segment);
  }
}

void ToolRunner::run_in_workspace(const Turn& turn, const Calls& segment) {
  const auto fail_all = [&](const base::Error& error) {
    for (const auto& call : segment) fail(call->result, error);
  };
  auto hold = gate_->enter(turn.workspace, turn.stop, turn.deadline);
  if (!hold.ok()) return fail_all(std::move(hold).context("not run").error());
  const bool writing = !segment.front()->is_read_only();
  auto before =
      writing ? turn.workspace->checkpoint(turn.stop, turn.deadline) : turn.workspace->tree();
  if (!before.ok()) {
    return fail_all(std::move(before).context("not run: taking a checkpoint failed").error());
  }
  if (writing) segment.front()->result.checkpoint = *before;
  run_calls(turn, segment);
  if (std::ranges::any_of(segment, [](const auto& call) { return call->result.abandoned; })) {
    return hold->close();
  }
  const ChangeOrigin origin{names_of(segment), turn.decision, timestamp(clock_)};
  auto changes = turn.workspace->tree().and_then([&](const git::ObjectId& after) {
    return changes_between(turn.workspace->store(), *before, after, origin);
  });
  if (changes.ok()) {
    segment.back()->result.changes = std::move(changes).value();
    return;
  }
  hold->close();
  fail_all(std::move(changes).context("its changes are unknown").error());
}

void ToolRunner::run_calls(const Turn& turn, const Calls& segment) {
  Calls started;
  for (const auto& call : segment) {
    const ToolSpec& spec = call->tool().tool->spec();
    call->limit(base::Deadline::after(clock_, spec.timeout).earlier(turn.deadline));
    const auto posted = pool_.post([call] { call->run(); });
    if (posted.ok()) {
      started.push_back(call);
    } else {
      fail(call->result, posted.error());
    }
  }
  settle(turn, std::move(started));
}

// Each call has until its own deadline; then all late ones get the same short extension.
void ToolRunner::settle(const Turn& turn, Calls calls) {
  const auto remaining = [](const auto& call) { return call->deadline().remaining(); };
  std::ranges::sort(calls, {}, remaining);
  for (const auto& call : calls) {
    auto waited = call->wait(turn.stop, call->deadline());
    if (waited.ok()) continue;
    call->late = std::move(waited).error();
    call->request_stop();
  }
  const auto grace = base::Deadline::after(clock_, options_.grace);
  for (const auto& call : calls) {
    if (call->late) (void)call->wait({}, grace);
    take_answer(*call);
  }
}

void ToolRunner::take_answer(Call& call) const {
  Call::Ended ended = call.give_up();
  call.result.took = ended.took;
  if (!ended.answer) {
    const bool stopped = call.late->code() == base::ErrorCode::kCancelled;
    std::string text = stopped ? "the turn was stopped" : "it did not end in time";
    text += ended.running ? " and the tool still runs: its later changes are discarded"
                          : ", before the tool began: nothing was done";
    fail(call.result, stopped ? Outcome::kCancelled : Outcome::kTimedOut, std::move(text));
    call.result.abandoned = ended.running;
  } else if (ended.answer->ok()) {
    call.result.answer = std::move(*ended.answer).value();
  } else {
    fail(call.result, ended.answer->error());
  }
}

void ToolRunner::finish(const Turn& turn, Call& call) const {
  ToolAnswer& answer = call.result.answer;
  if (!call.is_refused() && call.result.outcome == Outcome::kAnswered) {
    internal::check_structured(answer, call.tool().output.get());
  }
  internal::make_presentable(answer, turn.output_limit,
                             {.secrets = options_.secrets, .by_line = shows_files(call)});
}

}  // namespace clever::tool
