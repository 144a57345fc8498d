#include "engine/effects/internal/agent_journal.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
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
  const bool is_next = !calls_.empty() && std::ranges::none_of(results_, [](const auto& result) {
    return result.call.empty();
  });
  if (is_next) close();
  std::string id = base::to_valid_utf8(tool.id);
  if (id.empty() || !ids_.insert(id).second) {
    id = "call-" + std::to_string(ids_.size() + 1);
    ids_.insert(id);
  }
  const std::string input =
      secrets_ == nullptr ? tool.input : secrets_->withhold(base::to_valid_utf8(tool.input));
  const auto document = model::parse_document(input);
  model::Document arguments = model::Document::map();
  const bool fits = document.ok() && document->is_map() && input.size() <= kLongestArguments;
  if (fits && input != "{}") {
    arguments = *document;
  } else {
    arguments.set("title", shown(tool.title, kLongestOutput));
  }
  calls_.push_back({.id = std::move(id),
                    .name = tool.name.empty() ? "tool" : shown(tool.name, kLongestOutput),
                    .arguments = model::to_json(arguments)});
  results_.emplace_back();
}

void AgentJournal::on_tool_end(const AgentToolEnd& end) {
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (calls_[i].id != end.id || !results_[i].call.empty()) continue;
    results_[i] = {.call = calls_[i].id,
                   .content = {model::Text{shown(end.output, kLongestOutput)}},
                   .failed = end.failed};
    return;
  }
}

void AgentJournal::close() {
  if (words_.empty() && calls_.empty()) return;
  model::Message answer{.role = model::Role::kAssistant};
  if (!words_.empty()) answer.parts.emplace_back(model::Text{shown(words_, kLongestSpeech)});
  model::Message results;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (results_[i].call.empty()) {
      results_[i] = {.call = calls_[i].id, .content = {model::Text{"it did not say"}}};
    }
    answer.parts.emplace_back(std::move(calls_[i]));
    results.parts.emplace_back(std::move(results_[i]));
  }
  words_.clear();
  calls_.clear();
  results_.clear();
  if (recorded_ >= kMostMessages) return;
  ready_.push_back(std::move(answer));
  if (!results.parts.empty()) ready_.push_back(std::move(results));
  recorded_ += 2;
}

void AgentJournal::flush() {
  if (ready_.empty() || !order_.said) return;
  order_.said(std::exchange(ready_, {}));
}

void AgentJournal::finish() {
  close();
  flush();
}

}  // namespace clever::engine::internal
