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

// The reservation for a call before it is made, and its cost. Values and pure functions.
namespace clever::provider {

/// The plan, and session, whose budget a call uses.
struct Spender {
  model::PlanId plan{};
  /// The plans above it, in any order.
  std::vector<model::PlanId> parents{};
  /// Empty for a plan without a session.
  std::string session{};
  /// For the scope of the day.
  base::WallTime now{};
};

/// "day/2026-11-15", "session/ID", "plan/ROOT", …, "plan/ID": in the order of reservation. Days are
/// UTC.
[[nodiscard]] std::vector<std::string> budget_scopes(const Spender& spender);

/// The most that a call can cost, for any model of its chain: each byte of the request counts as a
/// token, and the output has full length. Models without a known price cost no money here; only
/// caps in tokens limit them (unpriced).
struct CallBudget {
  model::Cost worst_case{};
  /// "provider/model" of those in the chain without a known price.
  std::vector<std::string> unpriced{};
};
[[nodiscard]] CallBudget call_budget(const std::vector<ResolvedModel>& chain,
                                     const ModelRequest& request);

/// The cost of a call. An answer without usage, and a call with an unknown end, cost what was
/// reserved.
[[nodiscard]] model::Cost actual_cost(const ModelFacts& facts, const Usage& usage,
                                      const model::Cost& reserved);

/// No provider counts more tokens for a request than this: the bytes of all its texts, plus an
/// amount for each part, call, tool and image.
[[nodiscard]] std::int64_t input_token_bound(const ModelRequest& request);

}  // namespace clever::provider
