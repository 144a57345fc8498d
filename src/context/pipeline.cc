#include "context/pipeline.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "context/internal/findings.h"
#include "context/internal/text_of.h"
#include "context/query.h"

namespace clever::context {
namespace {

/// The preamble takes at most one part in this many of the room.
constexpr std::size_t kPreambleShare = 8;
constexpr std::size_t kLongestPreamble = 600;

std::size_t less(std::size_t from, std::size_t what) { return from > what ? from - what : 0; }

/// The question as strategies get it.
Question bounded_question(const Question& question) {
  Question copy = question;
  copy.text = std::string(base::utf8_prefix(copy.text, kLongestQuestion));
  copy.findings = std::make_shared<internal::Findings>();
  return copy;
}

/// A short task that names files or symbols wants those, and close matches: a page full of other
/// files costs more than it helps. Expects the best first, as the scorer sorts.
constexpr std::size_t kFewWords = 16;
constexpr std::size_t kShortText = 400;
constexpr double kNearlyAsGood = 0.6;

bool is_small(const Question& question) {
  if (question.text.size() > kShortText || !question.focus.empty()) return false;
  const Query query = parse_query(question.text);
  return !query.paths.empty() && query.words.size() <= kFewWords;
}

void keep_nearly_best(std::vector<Scored>& scored) {
  if (scored.empty()) return;
  const double least = scored.front().score * kNearlyAsGood;
  std::erase_if(scored, [&](const Scored& one) { return one.score < least; });
}

double between_zero_and_one(double value) { return value > 0 ? std::min(value, 1.0) : 0; }

}  // namespace

std::size_t Budget::room() const noexcept {
  return less(less(less(window, response), tools), system);
}

std::size_t Budget::skeleton() const noexcept {
  const double ratio = between_zero_and_one(skeleton_ratio);
  return static_cast<std::size_t>(std::floor(static_cast<double>(room()) * ratio));
}

std::size_t Budget::fragments() const noexcept { return room() - skeleton(); }

std::string rendered(const Fragment& fragment) {
  std::string heading = "## " + fragment.path;
  if (fragment.range != syntax::Range{}) {
    heading += internal::text_of(":", fragment.range.first_line, "-", fragment.range.last_line);
  }
  if (fragment.depth != syntax::Depth::kFull) {
    heading += internal::text_of(" (", syntax::to_string(fragment.depth), ")");
  }
  const std::string_view end = fragment.content.ends_with('\n') ? "\n" : "\n\n";
  return internal::text_of(heading, "\n", fragment.content, end);
}

std::string page_of(const Assembly& assembly) {
  std::string page = assembly.preamble;
  for (const auto& fragment : assembly.fragments) page += rendered(fragment);
  return page;
}

std::vector<Proposal> proposals_of(const std::vector<Selected>& selected,
                                   const std::vector<StrategyOutcome>& outcomes) {
  std::vector<Proposal> proposals;
  for (std::size_t i = 0; i < std::min(selected.size(), outcomes.size()); ++i) {
    const auto& strategy = *selected[i].strategy;
    std::size_t rank = 0;
    for (const auto& candidate : outcomes[i].candidates) {
      proposals.push_back({.candidate = candidate,
                           .strategy = std::string(strategy.name()),
                           .quality = between_zero_and_one(strategy.quality()),
                           .weight = selected[i].weight,
                           .evidence = strategy.evidence(),
                           .authority = between_zero_and_one(strategy.authority()),
                           .rank = rank++});
      double& relevance = proposals.back().candidate.relevance;
      relevance = between_zero_and_one(relevance);
    }
  }
  return proposals;
}

Assembler::Assembler(ParallelStrategyExecutor& executor,
                     std::vector<std::shared_ptr<Strategy>> strategies, PipelineParts parts)
    : executor_(executor), strategies_(std::move(strategies)), parts_(std::move(parts)) {}

Assembler::Gathered Assembler::gather(const Question& question, std::size_t tokens,
                                      const base::StopToken& stop) const {
  const auto selected = parts_.selector->select(question, strategies_);
  const auto shares = parts_.allocator->allocate(selected, tokens);
  std::vector<ParallelStrategyExecutor::Job> jobs;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    jobs.push_back({.strategy = selected[i].strategy, .budget = i < shares.size() ? shares[i] : 0});
  }
  Gathered gathered;
  if (!jobs.empty()) gathered.outcomes = executor_.run(question, jobs, stop);
  gathered.merged =
      parts_.deduplicator->deduplicate(question, proposals_of(selected, gathered.outcomes));
  return gathered;
}

std::vector<Scored> Assembler::rank(const Question& asked, const base::StopToken& stop) const {
  const Question question = bounded_question(asked);
  auto gathered = gather(question, kLongestQuestion, stop);
  std::vector<Resolved> unread;
  for (auto& merged : gathered.merged) unread.push_back({.merged = std::move(merged)});
  return parts_.scorer->score(question, std::move(unread));
}

base::Result<Assembly> Assembler::assemble(const Question& asked, const Budget& budget,
                                           const TokenCounter& counter,
                                           const base::StopToken& stop) const {
  Assembly assembly{.budget = budget.fragments()};
  if (budget.room() == 0) return assembly;
  const Question question = bounded_question(asked);
  const std::size_t heading = std::min(assembly.budget / kPreambleShare, kLongestPreamble);
  const std::size_t room = assembly.budget - heading;
  auto gathered = gather(question, room, stop);
  if (stop.stop_requested()) return base::cancelled("putting the context together was stopped");
  assembly.outcomes = std::move(gathered.outcomes);
  auto scored = parts_.scorer->score(
      question, parts_.depths->resolve(question, std::move(gathered.merged), counter, room, stop));
  if (is_small(question)) keep_nearly_best(scored);
  assembly.fragments =
      parts_.orderer->order(parts_.packer->pack(std::move(scored), room, assembly.left_out));
  assembly.preamble = parts_.preamble->write(question, assembly.fragments, counter, heading);
  assembly.tokens = counter.count(page_of(assembly));
  // Pieces may cost more together than alone, and a replaced part may overrun the budget.
  while (assembly.tokens > assembly.budget && !assembly.fragments.empty()) {
    const auto worst = std::ranges::min_element(assembly.fragments, {}, &Fragment::score);
    assembly.fragments.erase(worst);
    ++assembly.left_out;
    assembly.preamble = parts_.preamble->write(question, assembly.fragments, counter, heading);
    assembly.tokens = counter.count(page_of(assembly));
  }
  if (assembly.fragments.empty()) assembly.preamble.clear();
  if (assembly.fragments.empty()) assembly.tokens = 0;
  if (budget.skeleton() > 0) {
    assembly.skeleton =
        parts_.skeleton->make(question, assembly.fragments, counter, budget.skeleton());
  }
  return assembly;
}

}  // namespace clever::context
