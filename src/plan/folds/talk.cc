#include <algorithm>

#include "model/work_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {
namespace {

constexpr std::size_t kMostRecentCalls = 64;
constexpr std::size_t kMostReads = 2'000;

void note(State& state, const base::Sha256Digest& fingerprint) {
  auto& recent = state.recent_calls;
  const auto known =
      std::ranges::find(recent, fingerprint, &std::pair<base::Sha256Digest, std::int64_t>::first);
  if (known != recent.end()) {
    ++known->second;
    return;
  }
  if (recent.size() == kMostRecentCalls) recent.erase(recent.begin());
  recent.emplace_back(fingerprint, 1);
}

void forget_prompt(State& state, const base::Sha256Digest& body) {
  const auto pending = std::ranges::find(state.pending_prompts, body, &TranscriptEntry::body);
  if (pending != state.pending_prompts.end()) state.pending_prompts.erase(pending);
}

}  // namespace

base::Result<void> message_added(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto added, read<model::MessageAdded>(state, event));
  const bool first = added.why == model::MessageWhy::kSummary;
  state.transcript.insert(first ? state.transcript.begin() : state.transcript.end(),
                          {added.role, added.body, added.bytes, added.why});
  state.transcript_bytes += added.bytes;
  if (added.why == model::MessageWhy::kReminder) ++state.reminders;
  if (added.why == model::MessageWhy::kPrompt) forget_prompt(state, added.body);
  if (added.why == model::MessageWhy::kResults) {
    state.unknown.reset();
    state.held.reset();
  }
  return {};
}

base::Result<void> transcript_cut(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto cut, read<model::TranscriptCut>(state, event));
  const auto size = static_cast<std::int64_t>(state.transcript.size());
  if (cut.messages > size) return cannot_follow(state, event, "there are fewer messages");
  const auto end = state.transcript.begin() + cut.messages;
  for (auto gone = state.transcript.begin(); gone != end; ++gone) {
    state.transcript_bytes -= gone->bytes;
  }
  state.transcript.erase(state.transcript.begin(), end);
  if (cut.messages < size) return {};
  state.turns_in_step = 0;
  state.reminders = 0;
  state.recent_calls.clear();
  state.unknown.reset();
  state.held.reset();
  return {};
}

base::Result<void> model_answered(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto answered, read<model::ModelAnswered>(state, event));
  ++state.turns_in_step;
  ++state.usage.calls;
  state.usage.input_tokens += answered.input_tokens;
  state.usage.output_tokens += answered.output_tokens;
  if (answered.context) state.context = answered.context;
  return {};
}

base::Result<void> tools_recorded(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(auto recorded, read<model::ToolsRecorded>(state, event));
  for (const model::ToolNote& call : recorded.calls) note(state, call.fingerprint);
  state.calls_in_step += static_cast<std::int64_t>(recorded.calls.size());
  state.reminders = 0;
  for (std::string& path : recorded.reads) {
    const auto place = std::ranges::lower_bound(state.reads, path);
    const bool known = place != state.reads.end() && *place == path;
    if (!known && state.reads.size() < kMostReads) state.reads.insert(place, std::move(path));
  }
  return {};
}

}  // namespace clever::plan::folds
