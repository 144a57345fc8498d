#include "tool/internal/call.h"

#include <exception>

namespace clever::tool::internal {

Call::Call(const Turn& turn, const model::ToolCall& call, const base::Clock& clock,
           const base::StopToken& closing, const base::Secrets* secrets)
    : result{.id = call.id, .tool = call.name},
      clock_(clock),
      held_(turn.held),
      context_{.workspace = turn.workspace, .output_limit = turn.output_limit, .secrets = secrets},
      stop_(turn.stop),
      on_closing_(closing, [this] { stop_.request_stop(); }) {
  context_.stop = stop_.token();
}

void Call::accept(std::shared_ptr<const RegisteredTool> tool, std::string input) {
  tool_ = std::move(tool);
  input_ = std::move(input);
}

// Commands never run in parallel: a workspace runs one at a time.
bool Call::is_read_only() const {
  const ToolSpec& spec = tool_->tool->spec();
  return spec.capabilities.read_only && spec.source != Source::kCustom;
}

void Call::run() {
  const base::TimePoint began = clock_.now();
  const bool wanted = slot_.update([began](Slot& slot) {
    slot.begun = !slot.given_up;
    slot.began = began;
    return slot.begun;
  });
  if (!wanted) return;
  base::Result<ToolAnswer> answered = answer();
  const base::TimePoint ended = clock_.now();
  slot_.update([&](Slot& slot) {
    slot.answer = std::move(answered);
    slot.ended = ended;
  });
}

base::Result<ToolAnswer> Call::answer() const {
  try {
    return tool_->tool->call(context_, input_);
  } catch (const std::exception& error) {
    return base::internal_error(std::string("the tool failed: ") + error.what());
  } catch (...) {
    return base::internal_error("the tool failed");
  }
}

base::Result<void> Call::wait(const base::StopToken& stop, base::Deadline deadline) {
  return slot_.wait(stop, deadline, [](const Slot& slot) { return slot.answer.has_value(); });
}

Call::Ended Call::give_up() {
  const base::TimePoint now = clock_.now();
  return slot_.update([now](Slot& slot) {
    slot.given_up = true;
    const bool running = slot.begun && !slot.answer.has_value();
    const base::TimePoint ended = running ? now : slot.ended;
    return Ended{.answer = std::move(slot.answer), .running = running, .took = ended - slot.began};
  });
}

}  // namespace clever::tool::internal
