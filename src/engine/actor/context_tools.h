#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "context/history.h"
#include "context/strategy.h"
#include "engine/actor/context_source.h"
#include "git/project.h"
#include "tool/tool.h"

namespace clever::engine {

/// The origin under which they are registered.
inline constexpr std::string_view kContextOrigin = "context";

/// What the tools search; all of it outlives them.
struct ContextToolParts {
  ContextSource& source;
  git::Project project{};
  /// The history of the project's commits, or why it is unavailable.
  std::function<base::Result<std::shared_ptr<const context::History>>(const base::StopToken&,
                                                                      base::Deadline)>
      history{};
  /// Decisions of the project's plans, newest first.
  std::function<base::Result<std::vector<context::DecisionNote>>(const base::StopToken&)>
      decisions{};
};

/// request_context{query, focus?, budget?}: more of the project, assembled as for a turn, from the
/// current files. query_history{query}: which files earlier commits with such words changed, and
/// what earlier plans decided. Both only read.
[[nodiscard]] std::vector<std::shared_ptr<tool::Tool>> context_tools(const ContextToolParts& parts);

}  // namespace clever::engine
