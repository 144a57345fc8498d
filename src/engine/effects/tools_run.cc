#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/actor/turn_request.h"
#include "engine/effects/internal/conflicts.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/shown_tools.h"
#include "engine/effects/internal/turn_context.h"
#include "engine/hooks.h"
#include "engine/plan_execution_context.h"

namespace clever::engine::internal {
namespace {

using tool::CallResult;

std::vector<model::ToolCall> calls_of(const model::Message& message) {
  std::vector<model::ToolCall> calls;
  for (const model::Part& part : message.parts) {
    if (const auto* call = std::get_if<model::ToolCall>(&part)) calls.push_back(*call);
  }
  return calls;
}

CallResult refused(const model::ToolCall& call, std::string why) {
  return {.id = call.id,
          .tool = call.name,
          .outcome = tool::Outcome::kRefused,
          .answer = {.text = std::move(why), .failed = true}};
}

std::optional<std::int64_t> exit_code(const tool::ToolAnswer& answer) {
  const auto structured = nlohmann::json::parse(answer.structured, nullptr, false);
  if (!structured.is_object()) return {};
  const auto code = structured.find("exit_code");
  if (code == structured.end() || !code->is_number_integer()) return {};
  return code->get<std::int64_t>();
}

/// The tool calls of one answer and their results.
class ToolsTurn {
 public:
  struct Parts {
    Workspaces& workspaces;
    tool::ToolRunner& runner;
    std::shared_ptr<const ProjectParts> project;
    const base::Secrets* secrets;
  };
  ToolsTurn(const EffectOrder& order, const Parts& parts)
      : order_(order),
        plan_(*order.plan),
        workspaces_(parts.workspaces),
        runner_(parts.runner),
        held_(parts.project),
        project_(*held_),
        secrets_(parts.secrets),
        refusals_(refusals_in(order.data)),
        tools_(project_.registry.snapshot()),
        offered_(offered_tools(plan_, tools_)) {}

  base::Result<plan::Command> run(std::vector<model::ToolCall> calls) {
    calls_ = std::move(calls);
    CLEVER_ASSIGN(workspace_,
                  is_reading() ? workspaces_.look(plan_) : workspaces_.open(plan_, order_.lease));
    run_calls();
    tell_hooks_of_calls();
    const auto lost = std::ranges::find_if(results_, &CallResult::abandoned);
    if (lost != results_.end()) workspaces_.abandon(plan_.id);
    if (order_.stop.stop_requested()) return base::cancelled("stopped while tools ran");
    plan::ToolsRan ran = tools_ran();
    if (!is_reading()) CLEVER_TRY(add_work(ran, lost == results_.end() ? nullptr : &*lost));
    return ran;
  }

 private:
  // A plan that makes its strategy only reads.
  [[nodiscard]] bool is_reading() const { return plan_.phase == model::Phase::kStrategize; }

  [[nodiscard]] RunHook hook_runner() const {
    if (is_reading() && project_.hooks) return project_.hooks;
    if (!is_reading() && project_.commands != nullptr) {
      return hooks_in(*project_.commands, *workspace_, secrets_);
    }
    return [](const model::Hook&, std::string_view, const base::StopToken&) {
      return base::Result<confine::Output>(base::unavailable("commands cannot run here"));
    };
  }

  // Returns why the call is refused; empty if it may run.
  [[nodiscard]] std::string refusal(const model::ToolCall& call, std::size_t place) {
    if (place < refusals_.size() && !refusals_[place].empty()) return refusals_[place];
    std::string why = objection(call, place);
    if (!why.empty() || !has_hooks(plan_, "tool.before")) return why;
    was_hooked_ = true;
    why = objection_to_call(plan_, call, hook_runner(), order_.stop);
    return why.empty() ? why : "not run: " + why;
  }

  // A hook's remark about a call becomes part of the call's result.
  void tell_hooks_of_calls() {
    if (!has_hooks(plan_, "tool.after") || order_.stop.stop_requested()) return;
    was_hooked_ = true;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      CallResult& result = results_[i];
      if (result.outcome == tool::Outcome::kRefused || result.abandoned) continue;
      const bool failed = result.answer.failed || result.outcome != tool::Outcome::kAnswered;
      result.answer.text +=
          remarks_on_call(plan_, calls_[i], result.answer.text, failed, hook_runner(), order_.stop);
    }
  }

  // Returns the plan's objection to the call; empty if there is none.
  [[nodiscard]] std::string objection(const model::ToolCall& call, std::size_t place) const {
    const std::int64_t most = plan_.settings.limits.calls_per_turn;
    if (static_cast<std::int64_t>(place) >= most) {
      return "not run: one answer may hold at most " + std::to_string(most) + " tool calls";
    }
    const bool is_offered = offered_->tools().contains(call.name);
    if (is_offered || !tools_->tools().contains(call.name)) return {};
    if (!is_reading()) return call.name + " was not run: this plan may only read";
    return call.name +
           " was not run: while the strategy is made nothing is written. Only look, and hand in "
           "the strategy with " +
           std::string(kSubmitStrategy) + ".";
  }

  void run_calls() {
    tool::Turn turn;
    turn.workspace = workspace_;
    turn.stop = order_.stop;
    turn.decision = plan_.decision;
    turn.held = held_;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      std::string why = refusal(calls_[i], i);
      results_.push_back(refused(calls_[i], why));
      if (!why.empty()) continue;
      places.push_back(i);
      turn.calls.push_back(calls_[i]);
    }
    turn.tools = shown_tools(offered_, turn.calls, order_.observer, plan_.id);
    std::vector<CallResult> ran = runner_.run(turn);
    for (std::size_t i = 0; i < ran.size(); ++i) results_[places[i]] = std::move(ran[i]);
  }

  [[nodiscard]] plan::ToolsRan tools_ran() const {
    plan::ToolsRan ran{.effect = order_.id};
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const CallResult& result = results_[i];
      const bool failed = result.answer.failed || result.outcome != tool::Outcome::kAnswered;
      ran.results.parts.emplace_back(model::ToolResult{
          .call = calls_[i].id, .content = {model::Text{result.answer.text}}, .failed = failed});
      model::ToolNote note = note_on(calls_[i], result.answer.text, failed);
      note.took = std::chrono::duration_cast<std::chrono::milliseconds>(result.took);
      note.exit_code = exit_code(result.answer);
      ran.outcomes.push_back(std::move(note));
    }
    return ran;
  }

  base::Result<void> add_work(plan::ToolsRan& ran, const CallResult* lost) {
    // Stale reads matter only for a merge, and only subplans are merged.
    if (plan_.parent) {
      const auto reads = workspace_->reads();
      ran.reads.assign(reads.begin(), reads.end());
    }
    const bool may_have_written =
        was_hooked_ || std::ranges::any_of(results_, [](const CallResult& result) {
          return result.checkpoint.has_value();
        });
    if (may_have_written) return add_changes(ran, lost);
    for (const auto& conflict : plan_.conflicts) ran.open_conflicts.push_back(conflict.path);
    return {};
  }

  // Records what was written before a call was abandoned, not what that call wrote afterwards.
  base::Result<void> add_changes(plan::ToolsRan& ran, const CallResult* lost) {
    std::vector<model::ChangeEntry> changes;
    for (const CallResult& result : results_) {
      changes.insert(changes.end(), result.changes.begin(), result.changes.end());
    }
    git::ObjectStore& store = workspace_->store();
    CLEVER_ASSIGN(const git::ObjectId tree, lost != nullptr && lost->checkpoint
                                                ? base::Result<git::ObjectId>(*lost->checkpoint)
                                                : workspace_->checkpoint(order_.stop));
    if (tree.to_hex() != plan_.tree || !changes.empty()) ran.tree = tree.to_hex();
    CLEVER_ASSIGN(const auto open, still_open(plan_.conflicts, store, tree, changes));
    for (const auto& conflict : open) ran.open_conflicts.push_back(conflict.path);
    order_.context->start_changeset(plan_.decision).record(std::move(changes));
    return {};
  }

  const EffectOrder& order_;
  const plan::State& plan_;
  Workspaces& workspaces_;
  tool::ToolRunner& runner_;
  const std::shared_ptr<const ProjectParts> held_;
  const ProjectParts& project_;
  const base::Secrets* const secrets_;
  /// The refusal of each call that was decided before; empty: it may run.
  const std::vector<std::string> refusals_;
  const std::shared_ptr<const tool::ToolSnapshot> tools_;
  /// The tools that the model was offered.
  const std::shared_ptr<const tool::ToolSnapshot> offered_;
  std::shared_ptr<sandbox::Workspace> workspace_;
  std::vector<model::ToolCall> calls_;
  std::vector<CallResult> results_;
  bool was_hooked_ = false;
};

class ToolsRun final : public BlockingEffect {
 public:
  ToolsRun(const EffectParts& parts, std::shared_ptr<Messages> messages)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        runner_(parts.tools),
        project_(parts.project),
        secrets_(parts.secrets),
        messages_(std::move(messages)) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    CLEVER_ASSIGN(const std::string hash, text_in(order.data, "answer"));
    CLEVER_ASSIGN(const base::Sha256Digest answer, base::Sha256Digest::from_hex(hash));
    CLEVER_ASSIGN(const auto message, messages_->load(answer));
    CLEVER_ASSIGN(const auto project, project_(order.plan->project, order.stop));
    if (project->bring_tools) project->bring_tools(order.stop);
    ToolsTurn turn(order, {workspaces_, runner_, project, secrets_});
    auto ran = turn.run(calls_of(*message));
    // The workspace may be in any state: the next effect starts from the last recorded tree.
    if (!ran.ok()) workspaces_.abandon(order.plan->id);
    if (ran.ok()) prepare(*order.plan, std::get<plan::ToolsRan>(*ran).tree, project->context);
    if (ran.ok()) messages_->remember(std::get<plan::ToolsRan>(*ran).results);
    return ran;
  }

 private:
  // Prepares the index for the next step, which starts with these files. A subplan has no next
  // step.
  void prepare(const plan::State& plan, const std::string& tree, ContextSource& context) {
    if (!context.searches() || tree.empty() || plan.parent) return;
    if (auto request = files_request(workspaces_, plan, tree); request.ok()) {
      context.prepare(*request);
    }
  }

  Workspaces& workspaces_;
  tool::ToolRunner& runner_;
  const OpenProjectParts project_;
  const base::Secrets* const secrets_;
  const std::shared_ptr<Messages> messages_;
};

}  // namespace

std::unique_ptr<Effect> make_tools_run(const EffectParts& parts,
                                       std::shared_ptr<Messages> messages) {
  return std::make_unique<ToolsRun>(parts, std::move(messages));
}

}  // namespace clever::engine::internal
