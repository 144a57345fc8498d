#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.h"
#include "engine/agents/agent_stream.h"
#include "engine/effect_runner.h"
#include "model/message.h"

namespace clever::engine::internal {

/// Records what an external agent says and does in its plan's journal, in the form of a model's
/// answers and their tool results, while it works. Known secrets are masked; long texts are cut.
///
/// Used by the thread that runs the agent. The order and the secrets outlive it.
class AgentJournal {
 public:
  static constexpr std::size_t kMostMessages = 5'000;

  AgentJournal(const EffectOrder& order, const base::Secrets* secrets)
      : order_(order), secrets_(secrets) {}

  void on_text(std::string_view text);
  void on_tool(const AgentTool& tool);
  void on_tool_end(const AgentToolEnd& end);
  /// Records what has come to its end.
  void flush();
  /// Records all of it: the agent ended.
  void finish();

 private:
  void close();
  [[nodiscard]] std::string shown(std::string_view text, std::size_t most) const;

  const EffectOrder& order_;
  const base::Secrets* const secrets_;
  // The answer that is being made: words, then calls with their results.
  std::string words_{};
  std::vector<model::ToolCall> calls_{};
  /// Of each call; an empty name: there is none yet.
  std::vector<model::ToolResult> results_{};
  std::set<std::string> ids_{};
  std::size_t recorded_ = 0;
  std::vector<model::Message> ready_{};
};

}  // namespace clever::engine::internal
