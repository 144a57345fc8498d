#include <algorithm>
#include <utility>

#include "base/monitor.h"
#include "engine/actor/graph_actor.h"
#include "engine/effects/effects.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/messages.h"

namespace clever::engine {
namespace {

using ChildAnswer = std::move_only_function<void(base::Result<plan::Create>)>;

constexpr std::size_t kChildMessageBytes = std::size_t{1} << 20U;

/// Makes the commands that create children. The destructor waits for pending ones.
class ChildSource {
 public:
  explicit ChildSource(const EffectParts& parts)
      : scheduler_(parts.scheduler),
        workspaces_(parts.workspaces),
        providers_(parts.providers),
        project_(parts.project),
        messages_(parts.store, kChildMessageBytes) {}
  ChildSource(const ChildSource&) = delete;
  ChildSource& operator=(const ChildSource&) = delete;
  ~ChildSource() {
    (void)asked_.wait({}, base::Deadline::never(), [](std::size_t count) { return count == 0; });
  }

  void ask(EffectOrder order, ChildAnswer answer) {
    const auto asked = std::make_shared<Asked>(*this, std::move(answer));
    const auto posted = scheduler_.blocking().post(
        [this, asked, order = std::move(order)] { asked->give(make(order)); });
    if (!posted.ok()) asked->give(posted.error());
  }

 private:
  // Answers once, even if the child is never made. Leaves the source first, because the receiver of
  // the answer may destroy it.
  class Asked {
   public:
    Asked(ChildSource& source, ChildAnswer answer) : source_(source), answer_(std::move(answer)) {
      source_.asked_.update([](std::size_t& count) { ++count; });
    }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    ~Asked() {
      if (answer_) give(base::cancelled("stopped before the subplan was made"));
    }
    void give(base::Result<plan::Create> create) {
      source_.asked_.update([](std::size_t& count) { --count; });
      std::exchange(answer_, nullptr)(std::move(create));
    }

   private:
    ChildSource& source_;
    ChildAnswer answer_;
  };

  base::Result<plan::Create> make(const EffectOrder& order) {
    if (order.stop.stop_requested()) return base::cancelled("stopped before the subplan was made");
    const plan::State& parent = *order.plan;
    CLEVER_ASSIGN(const std::string step, internal::text_in(order.data, "step"));
    CLEVER_ASSIGN(const auto store, workspaces_.store(parent));
    CLEVER_ASSIGN(const std::string base, subplans_.base_of(parent, step, *store, order.stop));
    CLEVER_ASSIGN(const auto loaded, messages_.load(parent.prompts));
    std::vector<model::Message> prompts;
    for (const auto& prompt : loaded) prompts.push_back(*prompt);
    CLEVER_ASSIGN(const auto guidance, guidance_of(parent, step));
    CLEVER_ASSIGN(plan::Create create,
                  subplans_.child(parent, step, order.id, base, prompts, guidance));
    CLEVER_ASSIGN(const auto project, project_(parent.project, order.stop));
    CLEVER_TRY(give_actor(parent, step, project->actors, create));
    return create;
  }

  base::Result<void> give_actor(const plan::State& parent, const std::string& step,
                                const ActorCatalog& actors, plan::Create& create) const {
    const auto found = std::ranges::find(
        parent.steps, step, [](const plan::Step& each) -> auto& { return each.definition.id; });
    return take_actor(create, found->definition, actors,
                      [&](const std::string& model) { return terms_of(providers_, model); });
  }

  base::Result<std::vector<model::Message>> guidance_of(const plan::State& parent,
                                                        const std::string& id) {
    std::vector<base::Sha256Digest> said;
    for (const plan::Step& step : parent.steps) {
      if (step.definition.id != id) continue;
      for (const auto& words : step.guidance) said.push_back(words.body);
    }
    CLEVER_ASSIGN(const auto loaded, messages_.load(said));
    std::vector<model::Message> guidance;
    for (const auto& words : loaded) guidance.push_back(*words);
    return guidance;
  }

  Scheduler& scheduler_;
  Workspaces& workspaces_;
  const provider::ProviderRegistry& providers_;
  const OpenProjectParts project_;
  internal::Messages messages_;
  const SubplanExecutionService subplans_{};
  base::Monitor<std::size_t> asked_;
};

}  // namespace

std::function<void(EffectOrder, ChildAnswer)> make_child_source(EffectParts parts) {
  return [source = std::make_shared<ChildSource>(parts)](EffectOrder order, ChildAnswer answer) {
    source->ask(std::move(order), std::move(answer));
  };
}

}  // namespace clever::engine
