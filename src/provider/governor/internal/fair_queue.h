#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "provider/governor/lane.h"

namespace clever::provider::governor {

/// Serves flows in turn and each flow in order (start-time fair queueing with equal costs): however
/// many calls of one plan wait, another plan's first call follows right after those whose turn came
/// before. A flow that returns waits until the others were served, so that asking for one call at a
/// time brings no advantage.
///
///     time      the tag of the flow served last
///     tag       of a flow that waits: max(time, end of its last turn)
///     served    the flow of the least tag; the end of its turn is tag + 1
///
/// A pure value. All operations O(log n).
class FairQueue {
 public:
  [[nodiscard]] bool empty() const noexcept { return places_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  [[nodiscard]] std::size_t flows() const noexcept { return waiting_.size(); }

  /// `first`: goes before all others of its flow. Its last turn was not used, so the flow gets it
  /// back.
  void push(const std::string& flow, Ticket ticket, bool first);
  /// The next call to serve.
  [[nodiscard]] std::optional<Ticket> next() const;
  std::optional<Ticket> pop();
  bool remove(Ticket ticket);
  /// About how many calls come before it.
  [[nodiscard]] std::size_t ahead_of(Ticket ticket) const;

 private:
  using Order = std::pair<std::uint64_t, std::uint64_t>;  // tag, number of arrival
  struct Flow {
    std::string name;
    std::map<std::int64_t, Ticket> calls{};  // by position; repeated calls have positions below 0
    std::uint64_t turn_ends = 0;
    Order order{};
  };
  struct Place {
    Flow* flow;
    std::int64_t position;
  };

  Flow& find(const std::string& name);
  void wait(Flow& flow);
  // Gives the flow its next tag, or lets it rest if none of its calls waits.
  void stand_anew(Flow& flow);
  void forget_rested();

  std::unordered_map<std::string, Flow> flows_;  // its elements have stable addresses
  std::unordered_map<Ticket, Place> places_;
  std::map<Order, Flow*> waiting_;
  // Flows without waiting calls, by the end of their turn; dropped once time has passed it.
  std::set<std::pair<std::uint64_t, Flow*>> resting_;
  std::uint64_t time_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace clever::provider::governor
