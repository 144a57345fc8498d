#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/model_turn.h"
#include "engine/effects/internal/turn_context.h"
#include "plan/who_works.h"

namespace clever::engine::internal {
namespace {

void add_lines(std::string& words, const model::Message& message) {
  for (const model::Part& part : message.parts) {
    if (const auto* text = std::get_if<model::Text>(&part)) words += text->text + "\n";
  }
}

// Returns guidance for the whole plan, then for the active step.
std::vector<base::Sha256Digest> said_to(const plan::State& plan) {
  std::vector<base::Sha256Digest> said = plan.prompts;
  if (!plan.active) return said;
  for (const auto& words : plan.steps[*plan.active].guidance) said.push_back(words.body);
  return said;
}

/// Calls the plan's model. A thread that may block assembles the request; no thread waits while the
/// model works.
class ModelCall final : public Effect {
 public:
  ModelCall(const EffectParts& parts, std::shared_ptr<Messages> messages)
      : scheduler_(parts.scheduler),
        turn_{parts.models, parts.providers, parts.database, parts.scheduler.clock(),
              messages,     parts.secrets},
        project_(parts.project),
        messages_(std::move(messages)),
        contexts_(parts.workspaces, parts.database, parts.secrets) {}

  void start(std::shared_ptr<EffectJob> job) override {
    const auto posted = scheduler_.blocking().post([this, job] { ask(job); });
    if (!posted.ok()) job->fail(posted.error());
  }

 private:
  void ask(const std::shared_ptr<EffectJob>& job) {
    if (job->order().stop.stop_requested()) {
      return job->fail(base::cancelled("stopped before the model was asked"));
    }
    auto project = project_(job->plan().project, job->order().stop);
    if (!project.ok()) return job->fail(project.error());
    const ProjectParts& parts = **project;
    if (parts.bring_tools) parts.bring_tools(job->order().stop);
    ShownTools tools{*project, parts.registry.snapshot()};
    std::string shown;
    auto request = request_for(job->order(), tools, shown);
    if (!request.ok()) return job->fail(request.error());
    const auto turn = std::make_shared<ModelTurn>(turn_, job, std::move(tools), std::move(shown));
    turn->start(std::move(request).value());
  }

  base::Result<provider::ModelRequest> request_for(const EffectOrder& order,
                                                   const ShownTools& shown_tools,
                                                   std::string& shown) {
    const plan::State& plan = *order.plan;
    const ProjectParts& project = *shown_tools.project;
    CLEVER_ASSIGN(const Actor actor, project.actors.find(plan::actor_now(plan)));
    TurnParts parts{.plan = plan,
                    .tools = shown_tools.snapshot,
                    .actor_system = actor.system,
                    .skills = project.skills,
                    .max_output = number_in(order.data, "max_output"),
                    .overhead_bytes = number_in(order.data, "overhead_bytes")};
    std::string task;
    CLEVER_ASSIGN(const auto prompts, messages_->load(said_to(plan)));
    for (const auto& prompt : prompts) {
      parts.prompts.push_back(*prompt);
      add_lines(task, *prompt);
    }
    std::vector<base::Sha256Digest> hashes;
    hashes.reserve(plan.transcript.size());
    for (const plan::TranscriptEntry& entry : plan.transcript) hashes.push_back(entry.body);
    CLEVER_ASSIGN(parts.transcript, messages_->conversation(plan.id, std::move(hashes)));
    CLEVER_ASSIGN(const auto context, contexts_.of(project.context, plan, task, order.stop));
    parts.context = context->context;
    parts.instructions = context->instructions;
    shown = context->snapshot;
    provider::ModelRequest request = turn_request(std::move(parts));
    // Definitions, settings and others' decisions contain text of people or models too.
    if (turn_.secrets != nullptr) request.system = turn_.secrets->withhold(request.system);
    return request;
  }

  Scheduler& scheduler_;
  const ModelTurn::Parts turn_;
  const OpenProjectParts project_;
  const std::shared_ptr<Messages> messages_;
  TurnContexts contexts_;
};

}  // namespace

std::unique_ptr<Effect> make_model_call(const EffectParts& parts,
                                        std::shared_ptr<Messages> messages) {
  return std::make_unique<ModelCall>(parts, std::move(messages));
}

}  // namespace clever::engine::internal
