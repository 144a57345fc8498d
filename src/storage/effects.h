#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// An effect that was requested and not settled. A value.
struct OpenEffect {
  model::EffectId id;
  std::string kind;
  std::string data;
  /// Sequence of the event that requested it.
  std::int64_t requested = 0;

  friend bool operator==(const OpenEffect&, const OpenEffect&) = default;
};

/// The open effects of plans: requested by model::EffectRequested, settled by model::EffectSettled.
///
/// Thread-safe. The engine must outlive it.
class Effects {
 public:
  explicit Effects(Engine& engine) : engine_(engine) {}

  /// In the order in which they were requested.
  [[nodiscard]] base::Result<std::vector<OpenEffect>> open(
      const model::PlanId& plan, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
