#include "plan/internal/question.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "plan/internal/refuse.h"
#include "plan/internal/talk.h"
#include "plan/internal/words.h"

namespace clever::plan {
namespace {

constexpr std::size_t kLongestAsked = 2'000;
constexpr std::string_view kBlank = " \t\r\n";
// Markdown around the last words.
constexpr std::string_view kDecoration = " \t\r\n*_`\"')";

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

const model::ToolCall* asking_call(const Answered& answer) {
  for (const model::Part& part : answer.message.parts) {
    const auto* call = std::get_if<model::ToolCall>(&part);
    if (call != nullptr && call->name == kAskTool) return call;
  }
  return nullptr;
}

// Returns the question, with its options below it; empty if the call has none.
std::string question_of(const std::string& arguments) {
  const auto object = nlohmann::json::parse(arguments, nullptr, /*allow_exceptions=*/false);
  const auto field = [&](const char* name) {
    return object.is_object() && object.contains(name) ? object[name] : nlohmann::json();
  };
  const nlohmann::json question = field("question");
  if (!question.is_string()) return {};
  std::string text = trimmed(question.get<std::string>());
  const nlohmann::json options = field("options");
  if (text.empty() || !options.is_array()) return text;
  for (const auto& option : options) {
    if (option.is_string()) text += "\n- " + trimmed(option.get<std::string>());
  }
  return text;
}

// Answers the question's call; the other calls of the same answer wait for the person's reply.
void say_to_calls(Draft& draft, const ToolsData& tools, const std::string& of_question,
                  bool failed) {
  model::Message results = failed_results(tools, "not run: the person answers the question first");
  for (std::size_t i = 0; i < tools.calls.size(); ++i) {
    if (tools.calls[i].name != kAskTool) continue;
    auto& result = std::get<model::ToolResult>(results.parts[i]);
    result.content = {model::Text{of_question}};
    result.failed = failed;
  }
  draft.say(results, model::MessageWhy::kResults);
}

void wait_for_answer(Draft& draft, const std::string& question) {
  draft.move(model::PlanState::kWaiting,
             words::beginning(question, kLongestAsked) + " (" +
                 command_line(draft.state(), "prompt", " TEXT") + " answers it)",
             "answer");
}

bool ends_with_question(const std::string& text) {
  constexpr std::string_view kWide = "\uFF1F";
  const std::size_t last = text.find_last_not_of(kDecoration);
  if (last == std::string::npos) return false;
  return text[last] == '?' || std::string_view(text).substr(0, last + 1).ends_with(kWide);
}

bool has_changed_something(const State& state) {
  const bool merged = std::ranges::any_of(state.steps, &Step::merged);
  return merged || state.tree != state.base->tree || state.changeset.entries > 0;
}

std::string last_paragraph(const std::string& text) {
  const std::string whole = trimmed(text);
  const std::size_t gap = whole.rfind("\n\n");
  return trimmed(gap == std::string::npos ? whole : whole.substr(gap));
}

}  // namespace

bool asks_by_tool(Draft& draft, const Answered& answer, const ToolsData& tools) {
  const model::ToolCall* call = asking_call(answer);
  if (call == nullptr) return false;
  const std::string question = question_of(call->arguments);
  if (question.empty()) {
    say_to_calls(draft, tools, "not asked: \"question\" is missing", true);
    remind(draft, "Call ask again with the question in words, or go on without it.");
  } else {
    say_to_calls(draft, tools, "The person was asked; the answer follows.", false);
    wait_for_answer(draft, question);
  }
  return true;
}

bool asks_in_words(Draft& draft, const std::string& text) {
  const State& state = draft.state();
  const bool asks =
      !state.settings.read_only && !has_changed_something(state) && ends_with_question(text);
  if (asks) wait_for_answer(draft, last_paragraph(text));
  return asks;
}

void answer_nothing(Draft& draft) {
  if (draft.state().waiting != Waiting::kAnswer || !draft.state().pending_prompts.empty()) return;
  draft.say("The person gives no answer: decide it yourself, and go on.", model::MessageWhy::kStep);
}

}  // namespace clever::plan
