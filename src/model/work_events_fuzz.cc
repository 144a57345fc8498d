#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/context_snapshot.h"
#include "model/plan_events.h"
#include "model/plan_settings.h"
#include "model/restored_events.h"
#include "model/strategy.h"
#include "model/work_events.h"

namespace {

using namespace clever::model;

// Any text yields an event or a named mistake; events survive being written and read again.
template <class T>
void check(std::string_view text) {
  const auto read = T::parse(text);
  if (!read.ok()) {
    CLEVER_CHECK(read.error().code() == clever::base::ErrorCode::kInvalidArgument,
                 "a strange code");
    return;
  }
  const auto again = T::parse(read->to_event().data);
  CLEVER_CHECK(again.ok() && *again == *read, "writing and reading changed it");
}

template <class T>
void check_value(std::string_view text) {
  const auto read = T::parse(text);
  if (!read.ok()) return;
  const auto again = T::parse(read->to_json());
  CLEVER_CHECK(again.ok() && *again == *read, "writing and reading changed it");
}

template <class... T>
void check_all(std::string_view text) {
  (check<T>(text), ...);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_all<PlanMoved, PlanConfigured, PlanPrompted, BaseTaken, MessageAdded, TranscriptCut,
            ModelAnswered, ToolsRecorded, StrategyAccepted, StepAdded, StepMoved, WorkMoved,
            WorkBegan, ChildrenMerged, ConflictsResolved, ErrorRecorded, ApplyRequested, ApplyEnded,
            ApplyUndone, CommandRefused, WorkRestored>(text);
  check_value<Strategy>(text);
  check_value<PlanSettings>(text);
  check_value<ContextSnapshot>(text);
  if (const auto strategy = Strategy::parse(text); strategy.ok()) {
    CLEVER_CHECK(strategy->normalised().check().ok(), "its normalised form is invalid");
  }
  return 0;
}
