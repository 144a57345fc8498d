#include "service/commands/context.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/number.h"
#include "engine/actor/decision_notes.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/provider.h"
#include "service/plan/context_settings.h"
#include "service/text.h"
#include "service/work_folder.h"

namespace clever::service {
namespace {

using context::StrategyOutcome;

constexpr std::size_t kLargestCount = 10'000'000;

Tone tone_of_outcome(StrategyOutcome::How how) {
  switch (how) {
    case StrategyOutcome::How::kProposed:
      return Tone::kGood;
    case StrategyOutcome::How::kSkipped:
      return Tone::kDim;
    case StrategyOutcome::How::kFailed:
    case StrategyOutcome::How::kLate:
      return Tone::kWarn;
  }
  return Tone::kPlain;
}

std::int64_t in_milliseconds(base::Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

}  // namespace

base::Result<std::unique_ptr<ContextLook>> ContextLook::open(const Invocation& invocation,
                                                             Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  CLEVER_ASSIGN(git::Project project, work_project(invocation, context));
  CLEVER_ASSIGN(engine::ContextOptions options,
                context_options(*settings, project.root, context.launcher()));
  auto code =
      engine::CodeContext::open(options, {.clock = context.clock(),
                                          .home = context.home(),
                                          .embedders = provider_embedders(*settings, context)});
  if (!code.ok()) return blame_file(code.error());
  return std::unique_ptr<ContextLook>(
      new ContextLook(context, std::move(project), std::move(options), std::move(code).value()));
}

base::Result<std::shared_ptr<const index::View>> ContextLook::view(model::Phase phase) {
  CLEVER_ASSIGN(const auto index, code_->views().index_of(project_));
  const storage::Progress show = context_.progress();
  const auto tell = [&show](const index::IndexProgress& progress) {
    if (show) show("indexing files", progress.done, progress.files);
  };
  auto seen = index->view(
      engine::seen_through(code_->views().rules_of(phase), index::folder_corpus(project_)), tell,
      context_.stop());
  if (const std::string repaired = index->stats().repaired; !repaired.empty()) {
    remarks_.push_back("the index was repaired: " + repaired);
  }
  return seen;
}

void ContextLook::add_history(context::Question& question) {
  const auto head = git::head_state(project_);
  if (!head.ok() || !head->commit) return;
  auto history = code_->views().history(project_, head->commit->to_hex(), context_.stop(),
                                        base::Deadline::never());
  if (history.ok()) {
    question.history = std::move(history).value();
  } else {
    remarks_.push_back("without the history: " + history.error().sentence());
  }
}

void ContextLook::add_decisions(context::Question& question) {
  const auto database = store_if_any(context_);
  if (database == nullptr) return;
  auto notes = engine::DecisionNotes(*database).of_project(project_.root.string(), context_.stop());
  if (notes.ok()) {
    question.decisions = std::move(notes).value();
  } else {
    remarks_.push_back("without earlier decisions: " + notes.error().sentence());
  }
}

std::string ContextLook::from_root(const std::string& path) const {
  const auto absolute = (context_.directory() / path).lexically_normal();
  const auto relative = absolute.lexically_relative(project_.root);
  if (relative.empty() || relative.native().starts_with("..")) return path;
  return relative.generic_string();
}

base::Result<context::Question> ContextLook::question(const Asked& asked) {
  context::Question question{.phase = asked.phase, .text = asked.text};
  for (const std::string& path : asked.focus) question.focus.push_back(from_root(path));
  CLEVER_ASSIGN(auto seen, view(asked.phase));
  question.view = engine::limited(code_->views().rules_of(asked.phase), std::move(seen));
  add_history(question);
  add_decisions(question);
  return question;
}

base::Result<ContextLook::Answer> ContextLook::assemble(const context::Question& question,
                                                        const Asked& asked) {
  Answer answer{.counter = context::token_counter_for(asked.model)};
  const context::Budget room{
      .window = asked.budget,
      .skeleton_ratio = asked.is_subplan ? options_.turns.skeleton_ratio : 0};
  CLEVER_ASSIGN(answer.assembly,
                code_->assembler().assemble(question, room, *answer.counter, context_.stop()));
  return answer;
}

std::vector<Option> question_options() {
  return {{.name = "budget",
           .value = "TOKENS",
           .summary = "The most tokens to use (default context.budget)"},
          {.name = "focus",
           .value = "PATH",
           .summary = "A file or folder that must be considered; may be repeated",
           .completes = Completes::kDirectory,
           .repeated = true},
          {.name = "phase",
           .value = "PHASE",
           .summary = "The phase to show it for (default strategize)",
           .choices = {"strategize", "execute", "apply"}},
          {.name = "model",
           .value = "MODEL",
           .summary = "The model whose tokens to count (default model.default)"},
          here_option()};
}

base::Result<std::size_t> count_option(const Invocation& invocation, std::string_view name,
                                       std::size_t usual) {
  const auto text = invocation.value(name);
  if (!text) return usual;
  const auto number = base::to_number<std::size_t>(*text);
  if (!number || *number > kLargestCount) {
    return base::invalid_argument("--" + std::string(name) + " takes a number such as 8000, not " +
                                  in_quotes(*text));
  }
  return *number;
}

base::Result<Asked> asked(const Invocation& invocation, std::size_t first, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  Asked asked{.focus = invocation.values("focus")};
  for (std::size_t i = first; i < invocation.words().size(); ++i) {
    asked.text += (asked.text.empty() ? "" : " ") + invocation.words()[i];
  }
  if (asked.text.find_first_not_of(" \t\r\n") == std::string::npos && asked.focus.empty()) {
    return base::invalid_argument("the query is empty: give words, or a file with --focus");
  }
  if (const auto phase = invocation.value("phase")) {
    CLEVER_ASSIGN(asked.phase, model::parse_phase(*phase));
  }
  const auto usual = base::to_number<std::size_t>(settings->text("context.budget"));
  CLEVER_ASSIGN(asked.budget, count_option(invocation, "budget", usual.value_or(0)));
  asked.is_subplan = invocation.flag("subplan");
  asked.model = std::string(invocation.value("model").value_or(settings->text("model.default")));
  return asked;
}

std::string shown_score(double score) {
  const auto hundredths = static_cast<int>(std::clamp(score, 0.0, 9.99) * 100 + 0.5);
  const std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + "." + (digits.size() == 1 ? "0" : "") + digits;
}

std::string shown_lines(const context::Fragment& fragment) {
  if (fragment.range.end <= fragment.range.begin) return {};
  return "lines " + std::to_string(fragment.range.first_line) + "-" +
         std::to_string(fragment.range.last_line);
}

std::string_view shown_outcome(StrategyOutcome::How how) noexcept {
  switch (how) {
    case StrategyOutcome::How::kProposed:
      return "proposed";
    case StrategyOutcome::How::kFailed:
      return "failed";
    case StrategyOutcome::How::kLate:
      return "late";
    case StrategyOutcome::How::kSkipped:
      return "skipped";
  }
  return "unknown";
}

Document outcomes_document(const context::Assembly& assembly) {
  Document list = Document::list();
  for (const StrategyOutcome& outcome : assembly.outcomes) {
    list.push(Document::map()
                  .set("name", outcome.strategy)
                  .set("outcome", shown_outcome(outcome.how))
                  .set("proposed", outcome.candidates.size())
                  .set("took_ms", in_milliseconds(outcome.took))
                  .set("remark", outcome.remark));
  }
  return list;
}

Table outcomes_table(const context::Assembly& assembly) {
  Table table{"strategies", {"strategy", "outcome", "proposed", "took", "remark"}, {}};
  for (const StrategyOutcome& outcome : assembly.outcomes) {
    table.rows.push_back({{outcome.strategy, Tone::kAccent},
                          {std::string(shown_outcome(outcome.how)), tone_of_outcome(outcome.how)},
                          {std::to_string(outcome.candidates.size())},
                          {std::to_string(in_milliseconds(outcome.took)) + " ms", Tone::kDim},
                          {outcome.remark, Tone::kDim}});
  }
  return table;
}

Command context_command() {
  return {
      .name = "context",
      .summary = "Show, search and index what models see of the project",
      .description =
          "Before a model call, several strategies search the project for what the task needs: by "
          "words, by names and the graph of their uses, by similarity, in the history, and among "
          "earlier decisions. Their proposals are merged, scored and packed into a token budget. "
          "These commands show each stage for the files as they are now.\n\nThe index is in the "
          "home folder; you can delete it at any time.",
      .examples = {{"agents context show \"parse the config file\"", "What would be sent, and why"},
                   {"agents context search parse_line", "Where something is"},
                   {"agents context why src/a.cc \"parse the config file\"",
                    "Why a file is there, or not"},
                   {"agents context index --watch", "Keep the index up to date"}},
      .subcommands = {context_show_command(), context_search_command(), context_why_command(),
                      context_index_command(), context_stats_command(),
                      context_decisions_command()}};
}

}  // namespace clever::service
