#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/budget_events.h"
#include "model/control_settings.h"
#include "model/id.h"

// How to work on a plan, fixed when it was made. Values, with their JSON.
namespace clever::model {

/// The most that a call of the plan's model can cost, for any model of its chain, as known when the
/// model was chosen: decisions about money use only the journal.
struct ModelTerms {
  /// "provider/model"; empty if the plan needs no model.
  std::string model{};
  Microdollars input_per_million = 0;
  Microdollars output_per_million = 0;
  std::int64_t context_window = 200'000;
  std::int64_t max_output = 8192;

  friend bool operator==(const ModelTerms&, const ModelTerms&) = default;
};

/// How subplans run.
struct SubplanSettings {
  std::int64_t max_parallel = 16;
  bool fail_fast = false;
  bool retry_failed = true;
  std::int64_t max_retries = 2;
  /// The name of a diff::MergeStrategy.
  std::string merge_strategy = "git_three_way";
  /// Whether a subplan makes its own strategy (and may spawn further ones, at most 5 deep), or
  /// works directly.
  bool strategize = false;

  friend bool operator==(const SubplanSettings&, const SubplanSettings&) = default;
};

/// Limits on a model; reaching one is an error with a hint, never an endless loop.
struct WorkLimits {
  std::int64_t turns_per_step = 200;
  std::int64_t calls_per_turn = 128;
  /// This many identical calls with the same result are a loop; at a third of it the model is
  /// warned.
  std::int64_t same_calls = 9;
  /// The longest answer in bytes; a longer one is misbehaviour.
  std::int64_t answer_bytes = 2'000'000;
  /// The bytes that the system prompt, tools and context of one call may take besides the
  /// transcript.
  std::int64_t overhead_bytes = 256'000;
  /// The bytes of the transcript beyond which older turns become a summary.
  std::int64_t transcript_bytes = 480'000;

  friend bool operator==(const WorkLimits&, const WorkLimits&) = default;
};

struct PlanSettings {
  /// "local/task"; an `llm` actor works in model turns, a `tool` actor without a model.
  std::string actor = "local/task";
  bool uses_model = true;
  /// The actor is an external agent: it has turns of its own, which cost money, and accepts
  /// prompts.
  bool uses_agent = false;
  /// The actor that makes the strategy; empty: the actor itself.
  std::string strategy_actor{};
  // Of a strategy actor.
  bool strategy_uses_model = true;
  /// It is an external agent.
  bool strategy_uses_agent = false;
  /// Without a model: the plan's terms are its own too.
  ModelTerms strategy_terms{};
  std::map<std::string, std::string> arguments{};
  std::string definition_of_done{};
  /// "manual", "review", "supervised", …
  std::string profile = "supervised";
  /// Skips strategize.
  bool direct = false;
  /// Offers only read-only tools, in execute too.
  bool read_only = false;
  /// The commit to start from; empty: the working tree.
  std::string from{};
  /// The plan whose base and work this one starts with; none: it starts with the project.
  PlanId from_plan{};
  /// With from_plan: seals that work as it is, and does nothing else.
  bool seal_at_start = false;
  /// Apply as soon as it is ready: --apply, or the profile.
  bool apply_when_ready = false;
  /// The budget that several plans share; empty: none.
  std::string session{};
  SubplanSettings subplans{};
  WorkLimits limits{};
  Control control{};
  ModelTerms terms{};
  // Of a subplan.
  std::int64_t depth = 0;
  /// The plans above it, the root first.
  std::vector<PlanId> ancestors{};
  /// The parent's effect that waits for it.
  EffectId spawned_by{};
  /// The tree that it starts from; empty: the project's.
  std::string base_tree{};
  std::vector<std::string> paths{};

  // Who works, and how: on the strategy, or on what it says.
  [[nodiscard]] const std::string& actor_for(bool strategy) const noexcept {
    return strategy && !strategy_actor.empty() ? strategy_actor : actor;
  }
  [[nodiscard]] bool uses_model_for(bool strategy) const noexcept {
    return strategy && !strategy_actor.empty() ? strategy_uses_model : uses_model;
  }
  /// Whether the actor accepts prompts.
  [[nodiscard]] bool takes_words() const noexcept { return uses_model || uses_agent; }
  [[nodiscard]] const ModelTerms& terms_for(bool strategy) const noexcept {
    return strategy && !strategy_terms.model.empty() ? strategy_terms : terms;
  }

  [[nodiscard]] std::string to_json() const;
  /// `invalid_argument` names the wrong key.
  [[nodiscard]] static base::Result<PlanSettings> parse(std::string_view json);
  friend bool operator==(const PlanSettings&, const PlanSettings&) = default;
};

}  // namespace clever::model
