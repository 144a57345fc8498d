#include "service/commands/run_race.h"

#include <algorithm>

#include "diff/tree_diff.h"
#include "service/commands/run_report.h"
#include "service/text.h"
#include "tool/output_text.h"

namespace clever::service {
namespace {

constexpr std::size_t kLongestReview = std::size_t{64} << 10U;
constexpr std::string_view kChoice = "CHOICE:";

bool is_validated(const plan::State& plan) { return plan.validation && plan.validation->passed(); }

std::string validations_passed(const plan::State& plan) {
  if (!plan.validation) return "none";
  const auto& results = plan.validation->results;
  const auto passed = std::ranges::count_if(results, &model::ValidationResult::passed);
  return std::to_string(passed) + " of " + std::to_string(results.size()) + " passed";
}

// Returns the last line with text.
std::string last_line(std::string_view text) {
  constexpr std::size_t kWidth = 400;
  constexpr std::string_view kMarks = " \t\r\n*_`#->";
  const std::size_t end = text.find_last_not_of(kMarks);
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const std::size_t line = text.rfind('\n');
  return one_line(line == std::string_view::npos ? text : text.substr(line + 1), kWidth);
}

Document racer_document(const PlanFacts& facts, const Racer& racer) {
  Document document = plan_document(facts);
  document.set("agent", racer.agent);
  if (!racer.model.empty()) document.set("model", racer.model);
  return document;
}

}  // namespace

std::string racer_name(const Racer& racer) {
  return racer.model.empty() ? racer.agent : racer.agent + ":" + racer.model;
}

base::Result<std::vector<Racer>> parse_racers(std::string_view text) {
  std::vector<Racer> racers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = std::min(word.find(':'), word.size());
    Racer racer{.agent = std::string(word.substr(0, colon))};
    if (colon < word.size()) racer.model = word.substr(colon + 1);
    if (racer.agent.empty() || (colon < word.size() && racer.model.empty())) {
      return base::invalid_argument("--race: expected agents such as claude,codex:gpt-5, not " +
                                    in_quotes(text));
    }
    if (std::ranges::find(racers, racer) != racers.end()) {
      return base::invalid_argument("--race: " + in_quotes(word) + " is named twice");
    }
    racers.push_back(std::move(racer));
  }
  if (racers.size() < 2) {
    return base::invalid_argument("--race needs at least two agents, such as claude,codex");
  }
  if (racers.size() > kMostRacers) {
    return base::invalid_argument("--race takes at most " + std::to_string(kMostRacers) +
                                  " agents");
  }
  return racers;
}

RaceChoice choose_by_validation(const std::vector<RaceResult>& results) {
  RaceChoice choice{.why = "no result is ready to apply with its validations passed"};
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RaceResult& result = results[i];
    if (!result.plan.is_ready_to_apply() || !is_validated(result.plan)) continue;
    if (choice.winner && results[*choice.winner].cost <= result.cost) continue;
    choice = {.winner = i, .why = "its validations passed, at the lowest cost"};
  }
  return choice;
}

std::string review_words(const std::string& task, const std::vector<Racer>& racers,
                         const std::vector<std::string>& diffs) {
  std::string words =
      "Several agents did the same task. Choose the best result: it does what the "
      "task says, it is correct, and it changes nothing else. Read files of the "
      "project if you need to; change nothing.\n\nThe task:\n\n" +
      tool::cut_middle(task, kLongestReview / 4);
  const std::size_t share = kLongestReview / 2 / std::max<std::size_t>(racers.size(), 1);
  for (std::size_t i = 0; i < racers.size() && i < diffs.size(); ++i) {
    words += "\n\nThe result of " + racer_name(racers[i]) + ":\n\n";
    words += diffs[i].empty() ? "(nothing that can be applied)" : tool::cut_middle(diffs[i], share);
  }
  return words + "\n\nEnd with one line \"" + std::string(kChoice) +
         " NAME\", where NAME is one of the names above, and before it say why.";
}

RaceChoice choice_in(std::string_view answer, const std::vector<Racer>& racers) {
  RaceChoice choice{.why = "the reviewing model named no result"};
  const std::size_t at = answer.rfind(kChoice);
  if (at == std::string_view::npos) return choice;
  std::string_view name = answer.substr(at + kChoice.size());
  name = name.substr(0, name.find('\n'));
  constexpr std::string_view kAround = " \t\r*`\"'.";
  const std::size_t first = std::min(name.find_first_not_of(kAround), name.size());
  name = name.substr(first, name.find_last_not_of(kAround) + 1 - first);
  for (std::size_t i = 0; i < racers.size(); ++i) {
    if (racer_name(racers[i]) != name) continue;
    choice.winner = i;
    choice.why = last_line(answer.substr(0, at));
  }
  return choice;
}

base::Result<std::string> race_diff(RunPlans& plans, const plan::State& plan,
                                    const base::StopToken& stop) {
  if (!plan.is_ready_to_apply()) return std::string();
  CLEVER_ASSIGN(const engine::PlanFiles files,
                engine::plan_files(plans.runtime().sandboxes(), plan));
  CLEVER_ASSIGN(const auto diffs, diff::diff_trees(*files.store, files.base, files.tree, {}, stop));
  return diff::unified(diffs);
}

base::Result<Report> race_report(RunPlans& plans, RunEnd end, const std::vector<Racer>& racers,
                                 const RaceChoice& choice) {
  CLEVER_ASSIGN(Report report, run_report(plans, end));
  CLEVER_ASSIGN(const auto states, plans.states());
  Document list = Document::list();
  Table table{"", {"agent", "result", "changed", "validations", "cost", "plan"}, {}};
  bool any = false;
  for (std::size_t i = 0; i < racers.size() && i < states.size(); ++i) {
    const plan::State& state = states[i];
    CLEVER_ASSIGN(const plan::Usage usage, plans.usage(state));
    const PlanFacts facts{state, plans.files(state), usage, end == RunEnd::kLeft};
    list.push(racer_document(facts, racers[i]));
    const bool wins = choice.winner == i;
    table.rows.push_back({{(wins ? "* " : "") + racer_name(racers[i]), Tone::kStrong},
                          {place_of(state), tone_of(state)},
                          {files_total(facts.files)},
                          {validations_passed(state)},
                          {usage_text(usage)},
                          {state.id.to_string(), Tone::kDim}});
    any = any || exit_code_of(state) == ExitCode::kOk;
  }
  Document data = Document::map().set("plans", std::move(list));
  Prose next;
  if (choice.winner) {
    const std::string id = states.at(*choice.winner).id.to_string();
    data.set("chosen", id).set("why", choice.why);
    next.lines.push_back({{"chosen: "},
                          {racer_name(racers.at(*choice.winner)), Tone::kStrong},
                          {" (" + choice.why + ")"}});
    next.lines.push_back({{"next: ", Tone::kDim}, {"agents diff " + id, Tone::kAccent}});
  } else {
    data.set("chosen", Document());
    if (!choice.why.empty()) {
      data.set("why", choice.why);
      next.lines.push_back({{"nothing is chosen: " + choice.why, Tone::kWarn}});
    }
    next.lines.push_back({{"next: ", Tone::kDim},
                          {"agents diff PLAN", Tone::kAccent},
                          {" for each, then "},
                          {"agents apply PLAN", Tone::kAccent},
                          {"; the others' work stays in their plans"}});
  }
  report.data = std::move(data);
  report.view = {std::move(table), std::move(next)};
  // One result is enough; the report still names the failures of the others.
  const bool is_chosen = choice.why.empty() || choice.winner;
  if (end == RunEnd::kAtRest && any && is_chosen) {
    report.exit_code = ExitCode::kOk;
    report.status = Status::kOk;
  }
  return report;
}

}  // namespace clever::service
