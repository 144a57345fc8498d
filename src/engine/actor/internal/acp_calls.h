#pragma once
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/actor/acp_session.h"

namespace clever::engine::internal {

/// The tool calls that an agent announced and has not ended yet, by their ids. An agent tells what
/// a call is when it begins, and may leave that out when it asks for permission.
///
/// Owned by a session; used by one thread. Bounded: a call beyond kMost is not remembered, so that
/// a request for it counts by its own words alone.
class AcpCalls {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostPaths = 1000;
  static constexpr std::size_t kLongestInput = std::size_t{64} << 10U;

  /// `folder`: the project as the agent sees it, absolute. It outlives this.
  explicit AcpCalls(const std::string& folder) : folder_(folder) {}

  /// Of a `tool_call` or `tool_call_update`: takes over what it says.
  void take(const nlohmann::json& call);
  /// What a request for permission is about: what it says itself, and what is remembered of its
  /// call. An agent that says two kinds of one call is held to both.
  [[nodiscard]] AcpAsk asked(const nlohmann::json& call) const;

 private:
  void add(const nlohmann::json& call, AcpAsk& ask) const;
  void add_input(const nlohmann::json& input, AcpAsk& ask) const;
  void add_path(const nlohmann::json& path, AcpAsk& ask) const;

  const std::string& folder_;
  std::map<std::string, AcpAsk> calls_{};
};

}  // namespace clever::engine::internal
