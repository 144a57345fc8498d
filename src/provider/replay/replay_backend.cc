#include "provider/replay/replay_backend.h"

#include <algorithm>
#include <set>
#include <utility>

#include "provider/scripted/internal/stepped_attempt.h"

namespace clever::provider {
namespace {

// The search for the nearest recorded request looks at this many.
constexpr std::size_t kMostCompared = 2000;

std::map<base::Sha256Digest, std::vector<std::size_t>> places_of(const Cassette& cassette) {
  std::map<base::Sha256Digest, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < cassette.entries.size(); ++i) {
    places[cassette.entries[i].digest].push_back(i);
  }
  return places;
}

// The words of a request, for a cheap measure of similarity.
std::set<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kGaps = " \"{}[],:\\";
  constexpr std::size_t kMostWords = 5000;
  std::set<std::string_view> words;
  std::size_t begin = 0;
  while (begin < text.size() && words.size() < kMostWords) {
    const std::size_t end = std::min(text.find_first_of(kGaps, begin), text.size());
    if (end > begin) words.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Counts the words that only one of the two has.
std::size_t distance(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
  std::vector<std::string_view> different;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(different));
  return different.size();
}

std::size_t nearest(const Cassette& cassette, const std::string& canonical) {
  const auto asked = words_of(canonical);
  std::size_t best = 0;
  std::size_t least = SIZE_MAX;
  for (std::size_t i = 0; i < std::min(cassette.entries.size(), kMostCompared); ++i) {
    const std::size_t now = distance(words_of(cassette.entries[i].request), asked);
    if (now >= least) continue;
    least = now;
    best = i;
  }
  return best;
}

void add_delta(const model::Part& part, std::size_t& calls,
               std::vector<internal::AttemptStep>& steps) {
  if (const auto* text = std::get_if<model::Text>(&part)) {
    steps.push_back({{}, TextDelta{text->text}});
  } else if (const auto* reasoning = std::get_if<model::Reasoning>(&part)) {
    if (!reasoning->text.empty()) steps.push_back({{}, ReasoningDelta{reasoning->text}});
  } else if (const auto* call = std::get_if<model::ToolCall>(&part)) {
    steps.push_back({{}, ToolCallDelta{calls++, call->id, call->name, call->arguments}});
  }
}

std::vector<internal::AttemptStep> answer_steps(const ModelAnswer& answer) {
  std::vector<internal::AttemptStep> steps;
  std::size_t calls = 0;
  for (const model::Part& part : answer.message.parts) add_delta(part, calls, steps);
  return steps;
}

}  // namespace

CassettePlayer::CassettePlayer(Cassette cassette)
    : cassette_(std::move(cassette)), places_(places_of(cassette_)) {}

std::variant<ModelAnswer, Failure> CassettePlayer::answer(const std::string& canonical) {
  const base::Sha256Digest digest = base::sha256(canonical);
  const auto found = places_.find(digest);
  if (found == places_.end()) return not_recorded(canonical);
  const std::size_t use = given_.with([&](auto& given) { return given[digest]++; });
  if (use >= found->second.size()) return used_up(found->second.size());
  return cassette_.entries[found->second[use]].result;
}

std::size_t CassettePlayer::unused() const {
  std::size_t used = 0;
  const auto given = given_.with([](const auto& counts) { return counts; });
  for (const auto& [digest, count] : given) used += std::min(count, places_.at(digest).size());
  return cassette_.entries.size() - used;
}

Failure CassettePlayer::not_recorded(const std::string& canonical) const {
  Failure failure{.kind = FailureKind::kNotRecorded};
  failure.message = "replay: " + cassette_.file + " has no answer to this request";
  if (cassette_.entries.empty()) {
    failure.message += ": it is empty. Record the run again with --record.";
    return failure;
  }
  const std::size_t index = nearest(cassette_, canonical);
  failure.message += ". The nearest recorded request is in line " + std::to_string(index + 2) +
                     "; it differs (- recorded, + asked now):\n" +
                     request_difference(cassette_.entries[index].request, canonical) +
                     "Record the run again with --record if you meant this change.";
  return failure;
}

Failure CassettePlayer::used_up(std::size_t times) const {
  return {.kind = FailureKind::kNotRecorded,
          .message = "replay: " + cassette_.file + " has " + std::to_string(times) +
                     (times == 1 ? " answer" : " answers") +
                     " to this request, made once more than recorded. Record the run again with "
                     "--record."};
}

ReplayBackend::ReplayBackend(std::string provider, std::shared_ptr<CassettePlayer> player,
                             base::TimerQueue& timers, base::Executor& executor)
    : provider_(std::move(provider)),
      player_(std::move(player)),
      timers_(timers),
      executor_(executor) {}

std::unique_ptr<Attempt> ReplayBackend::start(const std::string& model, const ModelRequest& request,
                                              std::shared_ptr<AttemptSink> sink) {
  internal::AttemptPlan plan{
      .end = {player_->answer(canonical_request(provider_, model, request, player_->redactor()))}};
  plan.begins = plan.end.answered();
  if (plan.begins && request.stream)
    plan.steps = answer_steps(std::get<ModelAnswer>(plan.end.result));
  return internal::start_attempt(std::move(plan), std::move(sink), timers_, executor_);
}

}  // namespace clever::provider
