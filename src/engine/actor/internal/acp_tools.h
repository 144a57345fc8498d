#pragma once
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/agents/agent_stream.h"

namespace clever::engine::internal {

/// The running calls of an agent, as people see them. Agents often name a call first ("Terminal")
/// and describe it later ("make test"): a call is shown once it is described, asked about or begun.
/// Used by one thread.
class AcpTools {
 public:
  static constexpr std::size_t kMost = 1'000;

  /// Takes the beginning of a call, an update or a question about it. Returns the call if it is to
  /// be shown now. A call that did not begin is ignored.
  std::optional<AgentTool> take(const nlohmann::json& call, bool begins, bool is_asked = false);
  /// Returns the calls that were never described; they are to be shown now.
  std::vector<AgentTool> take_rest();
  /// Forgets a call that ended, and returns its last description; without an id if there is none.
  AgentTool end(const std::string& id);

 private:
  struct Call {
    AgentTool tool{};
    bool is_shown = false;
  };
  static AgentTool show(Call& call);

  std::map<std::string, Call> calls_;
};

}  // namespace clever::engine::internal
