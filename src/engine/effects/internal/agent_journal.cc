#include "engine/effects/internal/agent_journal.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "engine/effects/internal/shown_tools.h"
#include "model/document_json.h"
#include "tool/output_text.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kLongestSpeech = std::size_t{32} << 10U;
constexpr std::size_t kLongestArguments = std::size_t{16} << 10U;
constexpr std::size_t kLongestOutput = std::size_t{4} << 10U;

}  // namespace

std::string AgentJournal::shown(std::string_view text, std::size_t most) const {
  const std::string valid = base::to_valid_utf8(text);
  return tool::cut_middle(secrets_ == nullptr ? valid : secrets_->withhold(valid), most);
}

void AgentJournal::on_text(std::string_view text) {
  if (!calls_.empty()) close();
  if (words_.size() < 2 * kLongestSpeech) words_ += text;
}

void AgentJournal::on_tool(const AgentTool& tool) {
  close_if_done();
  std::string id = base::to_valid_utf8(tool.id);
  if (id.empty() || !ids_.insert(id).second) {
    id = "call-" + std::to_string(ids_.size() + 1);
    ids_.insert(id);
  }
  calls_.push_back({.call = {.id = std::move(id),
                             .name = tool.name.empty() ? "tool" : shown(tool.name, kLongestOutput),
                             .arguments = arguments(tool)},
                    .began = clock_.now()});
}

// The input; the title if there is none or it is too long.
std::string AgentJournal::arguments(const AgentTool& tool) const {
  const std::string input =
      secrets_ == nullptr ? tool.input : secrets_->withhold(base::to_valid_utf8(tool.input));
  const auto document = model::parse_document(input);
  const bool fits = document.ok() && document->is_map() && input.size() <= kLongestArguments;
  if (fits && input != "{}") return model::to_json(*document);
  return model::to_json(model::Document::map().set("title", shown(tool.title, kLongestOutput)));
}

void AgentJournal::on_tool_end(const AgentToolEnd& end) {
  for (Call& each : calls_) {
    if (each.call.id != end.id || each.ended) continue;
    each.ended = true;
    each.failed = end.failed;
    each.output = shown(end.output, kLongestOutput);
    each.took = clock_.now() - each.began;
    if (!end.tool.id.empty()) each.call.arguments = arguments(end.tool);
    return;
  }
}

void AgentJournal::close_if_done() {
  if (!calls_.empty() && std::ranges::all_of(calls_, &Call::ended)) close();
}

void AgentJournal::close() {
  if (words_.empty() && calls_.empty()) return;
  plan::AgentTurn turn;
  if (!words_.empty()) turn.answer.parts.emplace_back(model::Text{shown(words_, kLongestSpeech)});
  for (Call& each : calls_) {
    model::ToolNote note = note_on(each.call, each.output, each.failed);
    note.took = std::chrono::duration_cast<std::chrono::milliseconds>(each.took);
    turn.calls.push_back(std::move(note));
    turn.results.parts.emplace_back(model::ToolResult{
        .call = each.call.id,
        .content = {model::Text{each.ended ? std::move(each.output) : "it did not say"}},
        .failed = each.failed});
    turn.answer.parts.emplace_back(std::move(each.call));
  }
  words_.clear();
  calls_.clear();
  if (recorded_ >= kMostTurns) return;
  ready_.push_back(std::move(turn));
  ++recorded_;
}

void AgentJournal::flush() {
  close_if_done();
  if (ready_.empty() || !order_.said) return;
  order_.said(std::exchange(ready_, {}));
}

void AgentJournal::finish() {
  close();
  flush();
}

}  // namespace clever::engine::internal
