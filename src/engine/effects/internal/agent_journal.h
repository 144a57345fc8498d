#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/secrets.h"
#include "engine/agents/agent_stream.h"
#include "engine/effect_runner.h"
#include "plan/command.h"

namespace clever::engine::internal {

/// Records what an external agent says and does in its plan's journal, in the form of a model's
/// answers and their tool results, while it works. Known secrets are masked; long texts are cut.
///
/// Used by the thread that runs the agent. The order and the secrets outlive it.
class AgentJournal {
 public:
  static constexpr std::size_t kMostTurns = 2'500;

  AgentJournal(const EffectOrder& order, const base::Clock& clock, const base::Secrets* secrets)
      : order_(order), clock_(clock), secrets_(secrets) {}

  void on_text(std::string_view text);
  void on_tool(const AgentTool& tool);
  void on_tool_end(const AgentToolEnd& end);
  /// Records the turns that have ended.
  void flush();
  /// Records all of it: the agent ended.
  void finish();

 private:
  /// A call of the current turn.
  struct Call {
    model::ToolCall call{};
    base::TimePoint began{};
    // Set at its end.
    bool ended = false;
    bool failed = false;
    std::string output{};
    base::Duration took{};
  };

  void close();
  void close_if_done();
  [[nodiscard]] std::string arguments(const AgentTool& tool) const;
  [[nodiscard]] std::string shown(std::string_view text, std::size_t most) const;

  const EffectOrder& order_;
  const base::Clock& clock_;
  const base::Secrets* const secrets_;
  // The current turn: words, then calls.
  std::string words_{};
  std::vector<Call> calls_{};
  std::set<std::string> ids_{};
  std::size_t recorded_ = 0;
  std::vector<plan::AgentTurn> ready_{};
};

}  // namespace clever::engine::internal
