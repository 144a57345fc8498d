#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/id.h"
#include "model/strategy.h"
#include "plan/command.h"
#include "plan/state.h"

namespace clever::sim {

/// Files by path.
using Tree = std::map<std::string, std::string>;

/// What a model says and tools do, as a function of the plan alone: the same however often, by whom
/// and in what order it is asked. A value.
class Script {
 public:
  explicit Script(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] bool is_direct() const { return number("direct", 4) == 0; }
  [[nodiscard]] model::Strategy strategy() const;
  /// The answer of a turn of a step; without tool calls once the step is done.
  [[nodiscard]] model::Message answer(const std::string& step, std::size_t turn) const;

 private:
  [[nodiscard]] std::uint64_t number(const std::string& what, std::uint64_t below) const;
  std::uint64_t seed_;
};

/// What is outside of the journal and survives a crash: files, the provider's answers, the project.
/// Used by one thread.
class World {
 public:
  explicit World(std::uint64_t script) : script_(script), base_(put({{"README", "hello"}})) {}

  [[nodiscard]] const Script& script() const { return script_; }
  [[nodiscard]] const std::string& base() const { return base_; }
  std::string put(const Tree& tree);
  [[nodiscard]] const Tree& tree(const std::string& id) const { return trees_.at(id); }

  /// An error more of this plan, if it has not had its share: as many as are surely retried.
  bool may_err(const model::PlanId& plan) { return errors_[plan]++ < 1; }
  void land(const model::PlanId& plan, const Tree& tree) { landed_[plan] = tree; }
  void take_back(const model::PlanId& plan) { landed_.erase(plan); }
  [[nodiscard]] const std::map<model::PlanId, Tree>& landed() const { return landed_; }

  /// An effect records so many changes, each time it is run to its end.
  void note_changes(const model::EffectId& effect, std::size_t changes) {
    changes_[effect] = changes;
  }
  [[nodiscard]] const std::map<model::EffectId, std::size_t>& changes() const { return changes_; }

  /// Something that must never be.
  void violate(const std::string& what) { violations_.push_back(what); }
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }

 private:
  Script script_;
  std::map<std::string, Tree> trees_;
  std::string base_;
  std::map<model::PlanId, int> errors_;
  std::map<model::PlanId, Tree> landed_;
  std::map<model::EffectId, std::size_t> changes_;
  std::vector<std::string> violations_;
};

/// The tree with what changed between two others.
[[nodiscard]] Tree merged(Tree into, const Tree& before, const Tree& after);
/// The steps that the data of a children.merge effect names, and the one of a subplan.run effect.
[[nodiscard]] std::vector<std::string> steps_in(const std::string& data);
[[nodiscard]] std::string step_in(const std::string& data);
/// The parts that the data of a changes.choose effect keeps.
[[nodiscard]] std::vector<std::string> kept_in(const std::string& data);
/// What a tool call does to a tree; its result.
std::string run_tool(Tree& tree, const model::ToolCall& call);

}  // namespace clever::sim
