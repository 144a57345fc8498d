#include "engine/actor/turn_request.h"

#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "engine/actor/internal/plan_overview.h"
#include "engine/actor/internal/prompts.h"
#include "model/strategy.h"
#include "plan/reconciliation.h"
#include "plan/who_works.h"
#include "provider/transcript.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

using model::Message;
using model::Phase;

// Tags and line ends around a block.
constexpr std::size_t kBlockFrame = 64;
constexpr std::size_t kLargestOverview = std::size_t{24} << 10U;
constexpr std::size_t kLargestConflicts = std::size_t{4} << 10U;
constexpr std::int64_t kLeastOverhead = std::int64_t{16} << 10U;

std::size_t bytes_of(const model::Part& part);

struct PartBytes {
  std::size_t operator()(const model::Text& text) const { return text.text.size(); }
  std::size_t operator()(const model::Image&) const { return 0; }
  std::size_t operator()(const model::Reasoning& reasoning) const {
    return reasoning.text.size() + reasoning.opaque.size();
  }
  std::size_t operator()(const model::ToolCall& call) const {
    return call.name.size() + call.arguments.size() + call.opaque.size();
  }
  std::size_t operator()(const model::ToolResult& result) const {
    std::size_t bytes = 0;
    for (const auto& content : result.content) {
      if (const auto* text = std::get_if<model::Text>(&content)) bytes += text->text.size();
    }
    return bytes;
  }
};

std::size_t bytes_of(const model::Part& part) { return std::visit(PartBytes{}, part); }

std::size_t bytes_of(const provider::Conversation& messages) {
  std::size_t bytes = 0;
  for (const Message& message : messages) {
    for (const model::Part& part : message.parts) bytes += bytes_of(part);
  }
  return bytes;
}

std::size_t bytes_of(const provider::ToolSpec& tool) {
  return tool.name.size() + tool.description.size() + tool.parameters.size();
}

// Leaves half of the window to the conversation; a token has about three bytes.
std::size_t most_overhead(const TurnParts& parts) {
  const plan::State& plan = parts.plan;
  const std::int64_t tokens =
      std::max<std::int64_t>(plan::window_now(plan) - plan::max_output_now(plan), 0) / 2;
  const std::int64_t window =
      std::max(std::min(tokens, std::numeric_limits<std::int64_t>::max() / 4) * 3, kLeastOverhead);
  const std::int64_t most =
      parts.overhead_bytes > 0 ? parts.overhead_bytes : plan.settings.limits.overhead_bytes;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(most, 0, window));
}

std::string text_of(const Message& message) {
  std::string text;
  for (const model::Part& part : message.parts) {
    if (const auto* own = std::get_if<model::Text>(&part)) {
      text += (text.empty() ? "" : "\n") + base::to_valid_utf8(own->text);
    }
  }
  return text;
}

std::string tagged(std::string_view tag, std::string_view text) {
  std::string block = "<" + std::string(tag) + ">\n" + std::string(text);
  if (!block.ends_with('\n')) block += '\n';
  return block + "</" + std::string(tag.substr(0, tag.find(' '))) + ">\n";
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string text = base::to_valid_utf8(value);
  std::ranges::replace(text, '"', '\'');
  return text.empty() ? "" : " " + std::string(name) + "=\"" + text + "\"";
}

std::string fragment_block(std::string_view tag, const ContextFragment& fragment) {
  return tagged(
      std::string(tag) + attribute("path", fragment.path) + attribute("why", fragment.why),
      base::to_valid_utf8(fragment.text));
}

std::string_view tag_of(const ContextFragment& fragment) {
  if (!fragment.tag.empty()) return fragment.tag;
  return fragment.path.empty() ? "project_files" : "file";
}

// Chooses blocks by importance, and writes them in the order in which they change: what rarely
// changes comes first and stays cached.
class RequestBuilder {
 public:
  explicit RequestBuilder(TurnParts parts)
      : parts_(std::move(parts)), left_(most_overhead(parts_)) {}

  provider::ModelRequest build() {
    choose();
    provider::ModelRequest request;
    request.system = system_ + skills_ + instructions_;
    request.tools = std::move(tools_);
    const std::int64_t most = plan::max_output_now(parts_.plan);
    request.max_output_tokens = parts_.max_output > 0 ? std::min(parts_.max_output, most) : most;
    request.found_parts = context_.empty() ? 0 : 1;
    provider::Conversation messages = {first_message()};
    messages.append(parts_.transcript);
    request.messages = provider::sendable(std::move(messages));
    return request;
  }

 private:
  void choose() {
    system_ = prompt();
    take(system_.size());
    choose_own_tools(tool::Source::kBuiltin, true);
    choose_task();
    choose_guidance();
    choose_own_tools(tool::Source::kBuiltin, false);
    choose_skills();
    std::ranges::sort(tools_, {}, &provider::ToolSpec::name);
    choose_overview();
    choose_instructions();
    choose_context();
  }

  [[nodiscard]] bool strategizes() const { return parts_.plan.phase == Phase::kStrategize; }

  std::string prompt() const {
    std::string_view phase = strategizes()                    ? internal::strategize_prompt()
                             : parts_.plan.settings.read_only ? internal::read_only_prompt()
                                                              : internal::execute_prompt();
    std::string text(phase);
    if (!parts_.actor_system.empty()) {
      text += "\n\n# Your role\n" + base::to_valid_utf8(parts_.actor_system);
    }
    return text + "\n" + what_must_hold();
  }

  [[nodiscard]] std::string what_must_hold() const {
    const auto& all = parts_.plan.settings.control.invariants;
    if (all.empty()) return {};
    std::string text =
        "\n# What must hold\nThese sentences hold before, while and after you work, whatever else "
        "is "
        "asked:\n";
    for (const model::Invariant& one : plan::reconcile(all).in_force) {
      text += "- " + base::to_valid_utf8(one.text) + "\n";
    }
    return text;
  }

  bool fits(std::size_t bytes) const { return bytes <= left_; }
  void take(std::size_t bytes) { left_ -= std::min(bytes, left_); }
  // Returns the block with its tags, shortened to fit.
  std::string taken_block(std::string_view tag, const std::string& text, std::size_t most) {
    const std::size_t room = std::min(left_ > kBlockFrame ? left_ - kBlockFrame : 0, most);
    if (text.empty() || room < kBlockFrame) return {};
    std::string block = tagged(tag, tool::cut_middle(text, room));
    take(block.size());
    return block;
  }

  void choose_own_tools(tool::Source source, bool own) {
    if (own && parts_.tools) {
      add_tool({.name = std::string(kAsk),
                .description = std::string(internal::ask_description()),
                .parameters = std::string(internal::ask_schema())});
    }
    if (own && strategizes()) {
      add_tool({.name = std::string(kSubmitStrategy),
                .description = std::string(internal::submit_strategy_description()),
                .parameters = std::string(model::strategy_schema())});
    }
    if (!parts_.tools) return;
    for (const auto& [name, registered] : offered_tools(parts_.plan, parts_.tools)->tools()) {
      const tool::ToolSpec& spec = registered->tool->spec();
      if ((spec.source == source) != own) continue;
      add_tool({.name = name, .description = spec.description, .parameters = spec.input_schema});
    }
  }
  void add_tool(provider::ToolSpec tool) {
    if (!fits(bytes_of(tool) + kBlockFrame)) return;
    take(bytes_of(tool));
    tools_.push_back(std::move(tool));
  }

  [[nodiscard]] bool is_said(const Message& prompt) const {
    return std::ranges::find(parts_.transcript, prompt) != parts_.transcript.end();
  }
  void choose_task() {
    if (parts_.prompts.empty() || is_said(parts_.prompts.front())) {
      task_ = taken_block("definition_of_done", done_text(), left_ / 4);
      return;
    }
    const Message& task = parts_.prompts.front();
    const std::string done = done_text();
    task_ = taken_block("task", text_of(task), done.empty() ? left_ : left_ / 2);
    task_ += taken_block("definition_of_done", done, left_ / 2);
    add_images(task);
  }
  [[nodiscard]] std::string done_text() const {
    return base::to_valid_utf8(parts_.plan.settings.definition_of_done);
  }
  void add_images(const Message& message) {
    for (const model::Part& part : message.parts) {
      if (std::holds_alternative<model::Image>(part)) images_.push_back(part);
    }
  }

  // The newest prompt matters most.
  void choose_guidance() {
    for (std::size_t i = parts_.prompts.size(); i > 1; --i) {
      const Message& prompt = parts_.prompts[i - 1];
      if (is_said(prompt)) continue;
      guidance_ = taken_block("guidance", text_of(prompt), left_ / 3) + guidance_;
      add_images(prompt);
    }
  }

  // Only with the tool that loads their instructions.
  void choose_skills() {
    constexpr std::string_view kHead =
        "\n# Skills\nWhat others have written down for you. Before you do what one of them is "
        "about, call use_skill with its name.\n";
    const bool offered =
        std::ranges::find(tools_, "use_skill", &provider::ToolSpec::name) != tools_.end();
    const std::size_t bytes = kHead.size() + parts_.skills.size();
    if (parts_.skills.empty() || !offered || !fits(bytes)) return;
    take(bytes);
    skills_ = std::string(kHead) + base::to_valid_utf8(parts_.skills);
  }

  void choose_overview() {
    const auto room = [&](std::size_t most) { return std::min(left_ / 2, most); };
    const std::string overview = internal::plan_overview(parts_.plan, room(kLargestOverview));
    state_ = taken_block("strategy", overview, left_);
    const std::string conflicts = internal::open_conflicts(parts_.plan, room(kLargestConflicts));
    if (!conflicts.empty()) {
      state_ += taken_block("conflicts",
                            "Merging left marks of conflicts in these files. Nothing is applied "
                            "until they are resolved:\n" +
                                conflicts,
                            left_);
    }
  }

  void choose_instructions() {
    constexpr std::string_view kHead =
        "\n# Instructions of the project\nThey bind you. Where two differ, the later one, which is "
        "nearer to the files, wins.\n";
    std::vector<std::string> blocks;
    for (auto at = parts_.instructions.rbegin(); at != parts_.instructions.rend(); ++at) {
      std::string block = fragment_block("instructions", *at);
      if (!fits(block.size() + kHead.size())) break;
      take(block.size());
      blocks.push_back(std::move(block));
    }
    if (blocks.empty()) return;
    take(kHead.size());
    instructions_ = kHead;
    std::for_each(blocks.rbegin(), blocks.rend(),
                  [&](const std::string& block) { instructions_ += block; });
  }

  void choose_context() {
    for (const ContextFragment& fragment : parts_.context.fragments) {
      const std::string block = fragment_block(tag_of(fragment), fragment);
      if (!fits(block.size())) continue;
      take(block.size());
      context_ += block;
    }
    const std::string note = context_note();
    if (context_.empty() || !fits(note.size())) return;
    take(note.size());
    context_ += note;
  }
  // Stays the same throughout a step: a block that changes with every turn would invalidate the
  // cache after it.
  [[nodiscard]] std::string context_note() const {
    std::string note = base::to_valid_utf8(parts_.context.remark);
    if (!note.empty()) note += ".\n";
    const bool moved_on = std::ranges::any_of(parts_.plan.steps, [](const plan::Step& step) {
      return step.state == model::StepState::kDone;
    });
    if (moved_on) {
      note +=
          "Steps that are done have changed files since then: read a file before you edit it.\n";
    }
    return note;
  }

  [[nodiscard]] Message first_message() const {
    Message message{.role = model::Role::kUser};
    if (!context_.empty()) message.parts.emplace_back(model::Text{context_});
    const std::string rest = task_ + guidance_ + state_;
    if (!rest.empty()) message.parts.emplace_back(model::Text{rest});
    message.parts.insert(message.parts.end(), images_.begin(), images_.end());
    return message;
  }

  TurnParts parts_;
  // In bytes.
  std::size_t left_;
  std::vector<provider::ToolSpec> tools_;
  std::string system_;
  std::string skills_;
  std::string instructions_;
  std::string context_;
  std::string task_;
  std::string guidance_;
  std::string state_;
  std::vector<model::Part> images_;
};

}  // namespace

std::shared_ptr<const tool::ToolSnapshot> offered_tools(
    const plan::State& plan, const std::shared_ptr<const tool::ToolSnapshot>& all) {
  const bool only_reads = plan.phase == Phase::kStrategize || plan.settings.read_only;
  if (all == nullptr) return std::make_shared<const tool::ToolSnapshot>();
  tool::ToolSnapshot::Tools offered;
  for (const auto& [name, registered] : all->tools()) {
    const bool reads = registered->tool->spec().capabilities.read_only;
    const bool is_own = name == kSubmitStrategy || name == kAsk;
    if (!is_own && (reads || !only_reads)) offered.emplace(name, registered);
  }
  return std::make_shared<const tool::ToolSnapshot>(std::move(offered));
}

provider::ModelRequest turn_request(TurnParts parts) {
  return RequestBuilder(std::move(parts)).build();
}

std::int64_t overhead_bytes(const provider::ModelRequest& request,
                            const provider::Conversation& transcript) {
  std::size_t bytes = request.system.size() + bytes_of(request.messages);
  for (const provider::ToolSpec& tool : request.tools) bytes += bytes_of(tool);
  const std::size_t said = bytes_of(transcript);
  return bytes > said ? static_cast<std::int64_t>(bytes - said) : 0;
}

}  // namespace clever::engine
