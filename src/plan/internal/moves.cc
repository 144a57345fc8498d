#include "plan/internal/moves.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;

bool one_of(PlanState state, std::initializer_list<PlanState> states) noexcept {
  for (const PlanState one : states) {
    if (one == state) return true;
  }
  return false;
}

bool within(Phase phase, PlanState from, PlanState to) noexcept {
  using enum Phase;
  using enum PlanState;
  switch (from) {
    case kQueued:
      return one_of(to, {kProcessing, kWaiting, kErrored, kQueued});
    case kProcessing:
      if (phase == kApply) return one_of(to, {kApplied, kConstrained, kErrored, kWaiting});
      if (phase == kStrategize && to == kQueued) return true;
      return one_of(to, {kComplete, kErrored, kWaiting});
    case kWaiting:
      return one_of(to, {kProcessing, kErrored, kWaiting, kQueued, kConstrained});
    case kComplete:
      if (phase == kStrategize) return to == kWaiting;
      return one_of(to, {kProcessing, kQueued});
    case kErrored:
      return one_of(to, {kProcessing, kQueued, kErrored});
    case kConstrained:
      return one_of(to, {kProcessing, kConstrained});
    case kApplied:
      return to == kApplied;
    case kCancelling:
      return to == kCancelled || to == kApplied;
    case kCancelled:
      return false;
  }
  return false;
}

bool across(const Place& from, const Place& to) noexcept {
  using enum Phase;
  using enum PlanState;
  switch (from.phase) {
    case kAction:
      return to.phase == kStrategize && to.state == kQueued;
    case kStrategize:
      return to.phase == kExecute && to.state == kQueued &&
             one_of(from.state, {kComplete, kWaiting});
    case kExecute:
      if (to.phase == kStrategize && to.state == kQueued) return true;
      if (to.phase == kStrategize) return to.state == kProcessing && from.state == kProcessing;
      return to.phase == kApply && from.state == kComplete &&
             one_of(to.state, {kQueued, kConstrained});
    case kApply:
      if (from.state == kApplied) return to.phase == kExecute && to.state == kComplete;
      if (to.phase == kStrategize && to.state != kQueued) return false;
      return (to.phase == kStrategize || to.phase == kExecute) &&
             one_of(to.state, {kProcessing, kQueued}) &&
             one_of(from.state, {kConstrained, kErrored, kWaiting});
  }
  return false;
}

}  // namespace

std::string to_string(const Place& place) {
  return std::string(model::to_string(place.phase)) + "/" +
         std::string(model::to_string(place.state));
}

bool may_move(const Place& from, const Place& to) noexcept {
  using enum PlanState;
  if (from.phase != to.phase) return across(from, to);
  if (to.state == kCancelling) return !one_of(from.state, {kApplied, kCancelled, kCancelling});
  return within(from.phase, from.state, to.state);
}

}  // namespace clever::plan
