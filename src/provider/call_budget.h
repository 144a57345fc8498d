#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/budget_events.h"
#include "model/id.h"
#include "provider/catalog.h"
#include "provider/provider_set.h"
#include "provider/request.h"

// What is put aside for a call before it is made, and what it cost. Values and pure functions.
namespace clever::provider {

/// Whose money a call spends.
struct Spender {
  model::PlanId plan{};
  /// The plans above it, in any order.
  std::vector<model::PlanId> parents{};
  /// Empty: it belongs to none.
  std::string session{};
  /// For the scope of the day.
  base::WallTime now{};
};

/// "day/2026-11-15", "session/ID", "plan/ROOT", …, "plan/ID": in the order in which they are taken.
/// Days are those of UTC.
[[nodiscard]] std::vector<std::string> budget_scopes(const Spender& spender);

/// The most that a call can cost, whichever model of its chain answers: each byte of the request
/// counted as a token, and the whole output. Models without a known price cost no money here: only
/// caps in tokens bind them (unpriced).
struct CallBudget {
  model::Cost worst_case{};
  /// "provider/model" of those in the chain whose price nobody knows.
  std::vector<std::string> unpriced{};
};
[[nodiscard]] CallBudget call_budget(const std::vector<ResolvedModel>& chain,
                                     const ModelRequest& request);

/// What a call cost. An answer without numbers, and a call whose end nobody knows, cost what was
/// reserved.
[[nodiscard]] model::Cost actual_cost(const ModelFacts& facts, const Usage& usage,
                                      const model::Cost& reserved);

/// No provider counts more tokens for a request than this: bytes of all its texts, and something
/// for each part, call, tool and picture.
[[nodiscard]] std::int64_t input_token_bound(const ModelRequest& request);

}  // namespace clever::provider
