#include "plan/internal/words.h"

namespace clever::plan::words {
namespace {

constexpr std::size_t kLongestSummary = 600;
constexpr std::size_t kMostSteps = 200;

std::string line_of(const Step& step) {
  std::string line = "- " + step.definition.id + " (" + step.definition.title +
                     "): " + std::string(to_string(step.state));
  if (!step.summary.empty()) line += ". " + beginning(step.summary, kLongestSummary);
  return line + "\n";
}

// The reversion's reason; if a later event replaced it, the last error.
std::string why_reverted(const State& state) {
  if (state.reversions == 0) return {};
  if (!state.reason.empty()) return state.reason;
  if (state.last_error) return state.last_error->message;
  return state.validation && !state.validation->passed() ? "its work did not pass its checks" : "";
}

}  // namespace

std::string strategize(const State& state) {
  std::string text =
      "Work out how to carry out the task: look at what is there with the tools, then call "
      "submit_strategy once. Nothing can be changed yet.";
  const std::string why = why_reverted(state);
  if (!why.empty()) text += "\n\nAn earlier strategy did not work: " + why;
  return text;
}

std::string step(const State& state, const Step& step) {
  std::string text = "Step " + step.definition.id + ": " + step.definition.title;
  if (!step.definition.detail.empty()) text += "\n\n" + step.definition.detail;
  if (!step.definition.paths.empty()) text += "\n\nIt is about:";
  for (const std::string& path : step.definition.paths) text += "\n- " + path;
  if (step.attempt > 1 && state.last_error) {
    text += "\n\nAn earlier attempt was stopped: " + state.last_error->message;
  }
  return text +
         "\n\nWork on this step only. When it is done, answer without calling a tool: say in a few "
         "sentences what you did.";
}

std::string summary(const State& state) {
  std::string text = "Earlier messages were left out to save room. Where the work stands:\n";
  std::size_t shown = 0;
  for (const Step& one : state.steps) {
    if (++shown > kMostSteps) break;
    text += line_of(one);
  }
  if (state.steps.size() > kMostSteps) {
    text += "- and " + std::to_string(state.steps.size() - kMostSteps) + " more steps\n";
  }
  text += "Changes recorded so far: " + std::to_string(state.open_changes()) +
          ". What is done stays done; do not do it again.";
  return text;
}

std::string beginning(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::string ending(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t begin = text.size() - bytes;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + text.substr(begin);
}

std::string text_of(const model::Message& message) {
  std::string text;
  for (const model::Part& part : message.parts) {
    const auto* one = std::get_if<model::Text>(&part);
    if (one == nullptr || one->text.empty()) continue;
    if (!text.empty()) text += "\n";
    text += one->text;
  }
  return text;
}

}  // namespace clever::plan::words
