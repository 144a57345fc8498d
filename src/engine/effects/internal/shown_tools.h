#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/observer.h"
#include "model/message.h"
#include "model/work_events.h"
#include "tool/registry.h"

namespace clever::engine::internal {

/// The first line, of at most so many bytes, cut between characters.
[[nodiscard]] std::string first_line(std::string_view text, std::size_t longest);

/// "edit_file src/a.cc": a call as people see it, by the argument that says most.
[[nodiscard]] std::string shown_call(const std::string& name, std::string_view arguments);

/// The journal's note on a call that answered; without duration and exit code.
[[nodiscard]] model::ToolNote note_on(const model::ToolCall& call, const std::string& answer,
                                      bool failed);

/// The tools that the calls name, with their calls shown to the observer when they begin and end.
/// The observer must outlive them; null: they are as they were.
[[nodiscard]] std::shared_ptr<const tool::ToolSnapshot> shown_tools(
    const std::shared_ptr<const tool::ToolSnapshot>& tools,
    const std::vector<model::ToolCall>& calls, Observer* observer, const model::PlanId& plan);

}  // namespace clever::engine::internal
