#include <algorithm>
#include <optional>

#include "base/nearest.h"
#include "service/commands/commands.h"
#include "service/commands/context.h"
#include "service/commands/db.h"
#include "service/text.h"

namespace clever::service {
namespace {

using context::Candidate;
using context::Fragment;
using context::StrategyOutcome;

/// One strategy's opinion of a file.
struct Opinion {
  std::string strategy{};
  std::string_view outcome{};
  /// The file's best rank, from 1; 0: the strategy does not propose it.
  std::size_t place = 0;
  std::size_t of = 0;
  double relevance = 0;
  std::string why{};
};

Opinion opinion_of(const StrategyOutcome& outcome, const std::string& path) {
  Opinion opinion{.strategy = outcome.strategy,
                  .outcome = shown_outcome(outcome.how),
                  .of = outcome.candidates.size(),
                  .why = outcome.remark};
  const auto found = std::ranges::find(outcome.candidates, path, &Candidate::path);
  if (found == outcome.candidates.end()) return opinion;
  opinion.place = static_cast<std::size_t>(found - outcome.candidates.begin()) + 1;
  opinion.relevance = found->relevance;
  opinion.why = found->why;
  return opinion;
}

std::vector<const Fragment*> fragments_of(const context::Assembly& assembly,
                                          const std::string& path) {
  std::vector<const Fragment*> found;
  for (const Fragment& fragment : assembly.fragments) {
    if (fragment.path == path) found.push_back(&fragment);
  }
  return found;
}

Document reasons_document(const std::string& path, const index::View& view, index::FileNumber file,
                          const std::vector<const Fragment*>& shown,
                          const std::vector<Opinion>& opinions) {
  Document strategies = Document::list();
  for (const Opinion& opinion : opinions) {
    strategies.push(Document::map()
                        .set("name", opinion.strategy)
                        .set("outcome", opinion.outcome)
                        .set("place", opinion.place == 0 ? Document() : Document(opinion.place))
                        .set("of", opinion.of)
                        .set("relevance", opinion.relevance)
                        .set("why", opinion.why));
  }
  Document fragments = Document::list();
  for (const Fragment* fragment : shown) {
    fragments.push(Document::map()
                       .set("depth", to_string(fragment->depth))
                       .set("lines", shown_lines(*fragment))
                       .set("tokens", fragment->tokens)
                       .set("score", fragment->score)
                       .set("why", fragment->why));
  }
  return Document::map()
      .set("path", path)
      .set("kind", to_string(view.kind(file)))
      .set("language", to_string(view.language(file)))
      .set("shown", !shown.empty())
      .set("fragments", std::move(fragments))
      .set("strategies", std::move(strategies));
}

std::string kind_remark(index::FileKind kind) {
  if (kind == index::FileKind::kSource) return {};
  return "Its content is not searched: the file is " + std::string(to_string(kind)) + ".";
}

Prose verdict(const std::vector<const Fragment*>& shown, const std::vector<Opinion>& opinions,
              index::FileKind kind) {
  Prose prose;
  for (const Fragment* fragment : shown) {
    const std::string lines = shown_lines(*fragment);
    prose.lines.push_back(
        {{"It is shown", Tone::kGood},
         {(lines.empty() ? "" : ", " + lines) + ", as " + std::string(to_string(fragment->depth)) +
          ", with a score of " + shown_score(fragment->score) + ", in " +
          grouped(fragment->tokens) + " tokens: " + printable(fragment->why)}});
  }
  if (!shown.empty()) return prose;
  const bool proposed =
      std::ranges::any_of(opinions, [](const Opinion& opinion) { return opinion.place != 0; });
  prose.lines.push_back(
      {{"It is not shown: ", Tone::kWarn},
       {proposed ? "others with a higher score took the room; a larger --budget may help."
                 : "no strategy proposes it."}});
  if (const std::string remark = kind_remark(kind); !remark.empty()) {
    prose.lines.push_back({{remark}});
  }
  return prose;
}

Table table(const std::vector<Opinion>& opinions) {
  Table table{"", {"strategy", "outcome", "place", "relevance", "why"}, {}};
  for (const Opinion& opinion : opinions) {
    const bool proposed = opinion.place != 0;
    table.rows.push_back(
        {{opinion.strategy, Tone::kAccent},
         {std::string(opinion.outcome)},
         {proposed ? std::to_string(opinion.place) + " of " + std::to_string(opinion.of) : "-",
          proposed ? Tone::kGood : Tone::kDim},
         {proposed ? shown_score(opinion.relevance) : ""},
         {printable(opinion.why), Tone::kDim}});
  }
  return table;
}

base::Error no_such_file(const index::View& view, const std::string& path) {
  std::vector<std::string> paths;
  for (index::FileNumber file = 0; file < view.size(); ++file) paths.push_back(view.path(file));
  const auto nearest = base::nearest_match(path, paths);
  return base::not_found("the index has no file " + in_quotes(path) +
                         (nearest ? "; did you mean " + *nearest + "?"
                                  : "; what git ignores and what a view excludes is not in it"));
}

base::Result<Report> why(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Asked question, asked(invocation, 1, context));
  CLEVER_ASSIGN(const auto look, ContextLook::open(invocation, context));
  CLEVER_ASSIGN(const auto wanted, look->question(question));
  const std::string path = look->from_root(invocation.word(0));
  const auto file = wanted.view->find(path);
  if (!file) return no_such_file(*wanted.view, path);
  CLEVER_ASSIGN(const auto answer, look->assemble(wanted, question));
  std::vector<Opinion> opinions;
  for (const StrategyOutcome& outcome : answer.assembly.outcomes) {
    opinions.push_back(opinion_of(outcome, path));
  }
  const auto shown = fragments_of(answer.assembly, path);
  Report report;
  report.data = reasons_document(path, *wanted.view, *file, shown, opinions);
  report.view = {verdict(shown, opinions, wanted.view->kind(*file)), table(opinions)};
  for (const std::string& remark : look->remarks()) report.warn(remark);
  return report;
}

}  // namespace

Command context_why_command() {
  return {.name = "why",
          .summary = "Explain why a file is in a task's context, or why not",
          .description =
              "Shows what each strategy says about the file: its rank, its relevance, and why. "
              "Exits with 3 if the index has no such file.",
          .positionals = {{.name = "PATH", .summary = "A file of the project"},
                          {.name = "QUERY", .summary = "The task, in words", .repeated = true}},
          .options = question_options(),
          .examples = {{"agents context why src/a.cc \"make the parser faster\"",
                        "Which strategies propose it, and at which rank"},
                       {"agents context why README.md \"fix the login\" --budget 50000",
                        "Whether it would be there with more room"}},
          .handler = why};
}

}  // namespace clever::service
