#include <map>

#include "base/text.h"
#include "service/commands/commands.h"
#include "service/commands/context.h"
#include "service/commands/db.h"
#include "service/text.h"
#include "service/tree_strokes.h"

namespace clever::service {
namespace {

using context::Assembly;
using context::Fragment;

Document parts_document(const context::ScoreParts& parts) {
  return Document::map()
      .set("relevance", parts.relevance)
      .set("hierarchy", parts.hierarchy)
      .set("quality", parts.quality)
      .set("recency", parts.recency);
}

Document fragment_document(const Fragment& fragment) {
  Document strategies = Document::list();
  for (const std::string& strategy : fragment.strategies) strategies.push(strategy);
  Document data = Document::map().set("path", fragment.path);
  if (fragment.range.end > fragment.range.begin) {
    data.set("first_line", fragment.range.first_line).set("last_line", fragment.range.last_line);
  }
  return std::move(data)
      .set("depth", to_string(fragment.depth))
      .set("tokens", fragment.tokens)
      .set("score", fragment.score)
      .set("score_parts", parts_document(fragment.parts))
      .set("strategy", fragment.strategy)
      .set("strategies", std::move(strategies))
      .set("why", fragment.why)
      .set("content", fragment.content);
}

Document assembly_document(const Asked& asked, const ContextLook::Answer& answer) {
  const Assembly& assembly = answer.assembly;
  Document fragments = Document::list();
  for (const Fragment& fragment : assembly.fragments) fragments.push(fragment_document(fragment));
  return Document::map()
      .set("query", asked.text)
      .set("phase", model::to_string(asked.phase))
      .set("budget", assembly.budget)
      .set("tokens", assembly.tokens)
      .set("counted_by", answer.counter->name())
      .set("count_error", answer.counter->error())
      .set("left_out", assembly.left_out)
      .set("fragments", std::move(fragments))
      .set("preamble", assembly.preamble)
      .set("skeleton", assembly.skeleton)
      .set("strategies", outcomes_document(assembly));
}

/// Shows the fragments as a tree: a branch per file, a leaf per fragment.
class Tree {
 public:
  Tree(const Assembly& assembly, const TreeStrokes& strokes) : strokes_(strokes) {
    for (const Fragment& fragment : assembly.fragments) {
      auto& file = by_path_[fragment.path];
      if (file.empty()) order_.push_back(fragment.path);
      file.push_back(&fragment);
    }
  }

  Prose draw() {
    for (const std::string& path : order_) draw_file(path, path == order_.back());
    return std::move(prose_);
  }

 private:
  void draw_file(const std::string& path, bool last) {
    const auto& fragments = by_path_[path];
    std::size_t tokens = 0;
    for (const Fragment* fragment : fragments) tokens += fragment->tokens;
    prose_.lines.push_back({{std::string(last ? strokes_.last : strokes_.branch), Tone::kDim},
                            {printable(path), Tone::kStrong},
                            {"  " + grouped(tokens) + " tokens", Tone::kDim}});
    const std::string under(last ? strokes_.nothing : strokes_.down);
    for (const Fragment* fragment : fragments) {
      draw_fragment(*fragment, under, fragment == fragments.back());
    }
  }

  void draw_fragment(const Fragment& fragment, const std::string& under, bool last) {
    const std::string lines = shown_lines(fragment);
    prose_.lines.push_back(
        {{under + std::string(last ? strokes_.last : strokes_.branch), Tone::kDim},
         {shown_score(fragment.score), Tone::kGood},
         {" " + std::string(to_string(fragment.depth)), Tone::kAccent},
         {lines.empty() ? "" : " " + lines},
         {"  " + printable(fragment.why)}});
    const std::string below = under + std::string(last ? strokes_.nothing : strokes_.down);
    prose_.lines.push_back({{below + "by " + base::joined(fragment.strategies) + ": relevance " +
                                 shown_score(fragment.parts.relevance) + ", hierarchy " +
                                 shown_score(fragment.parts.hierarchy) + ", quality " +
                                 shown_score(fragment.parts.quality) + ", recency " +
                                 shown_score(fragment.parts.recency),
                             Tone::kDim}});
  }

  const TreeStrokes strokes_;
  std::vector<std::string> order_;
  std::map<std::string, std::vector<const Fragment*>> by_path_;
  Prose prose_;
};

std::string total(const ContextLook::Answer& answer) {
  const Assembly& assembly = answer.assembly;
  std::string text = counted(assembly.fragments.size(), "fragment") + ", " +
                     grouped(assembly.tokens) + " of " + grouped(assembly.budget) + " tokens (" +
                     std::string(answer.counter->name()) + ")";
  if (assembly.left_out > 0) text += "; no room for " + grouped(assembly.left_out) + " more";
  return text;
}

View assembly_view(const ContextLook::Answer& answer, const TreeStrokes& strokes) {
  if (answer.assembly.fragments.empty()) {
    return {Prose{{{{"Nothing was found.", Tone::kWarn}}}}, outcomes_table(answer.assembly)};
  }
  Prose head{{{{total(answer), Tone::kStrong}}}};
  return {std::move(head), Tree(answer.assembly, strokes).draw(), outcomes_table(answer.assembly)};
}

// The text as a model reads it.
std::string sent(const Assembly& assembly) {
  std::string text = assembly.preamble;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  for (const Fragment& fragment : assembly.fragments) {
    const std::string lines = shown_lines(fragment);
    text += "\n=== " + printable(fragment.path) + (lines.empty() ? "" : ", " + lines) + " (" +
            std::string(to_string(fragment.depth)) + ")\n" + fragment.content;
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

base::Result<Report> show_context(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Asked question, asked(invocation, 0, context));
  CLEVER_ASSIGN(const auto look, ContextLook::open(invocation, context));
  CLEVER_ASSIGN(const auto wanted, look->question(question));
  CLEVER_ASSIGN(const auto answer, look->assemble(wanted, question));
  Report report;
  report.data = assembly_document(question, answer);
  if (invocation.flag("text")) {
    report.view = {Raw{sent(answer.assembly)}};
  } else {
    report.view = assembly_view(answer, tree_strokes(context.screen().output_look.unicode));
  }
  for (const std::string& remark : look->remarks()) report.warn(remark);
  return report;
}

}  // namespace

Command context_show_command() {
  std::vector<Option> options = question_options();
  options.push_back(
      {.name = "subplan", .summary = "Include the project outline that a subplan gets"});
  options.push_back({.name = "text", .summary = "The text itself, as a model reads it"});
  return {.name = "show",
          .summary = "Show the context a model would get for a task, and why",
          .description =
              "Shows each fragment with its score and the score's parts, how much of the file it "
              "holds (full, signatures, members or a listing), and the strategy that proposed it. "
              "Then lists the strategies with their results: one that fails or is late loses its "
              "own proposals, and nothing else.",
          .positionals = {{.name = "QUERY",
                           .summary = "The task, in words",
                           .required = false,
                           .repeated = true}},
          .options = std::move(options),
          .examples = {{"agents context show \"make the parser faster\"", "For a task"},
                       {"agents context show \"rename it\" --focus src/a.cc --budget 4000",
                        "About a file, in 4,000 tokens"},
                       {"agents context show \"fix the login\" --text | less", "What is sent"},
                       {"agents context show \"fix the login\" --format json", "For a program"}},
          .handler = show_context};
}

}  // namespace clever::service
