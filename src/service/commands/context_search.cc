#include "service/commands/commands.h"
#include "service/commands/context.h"
#include "service/text.h"
#include "service/work_folder.h"

namespace clever::service {
namespace {

constexpr std::size_t kUsualLimit = 20;

struct SearchHits {
  std::vector<index::Hit> files{};
  std::vector<index::SymbolHit> definitions{};
};

// Looks a single name up as a definition; searches for words.
SearchHits find_hits(const index::View& view, const std::string& query, bool exact,
                     std::size_t limit, const base::StopToken& stop) {
  SearchHits found;
  if (!query.contains(' ')) found.definitions = view.definitions(query, limit);
  found.files = exact ? view.grep(query, limit, stop) : view.search(query, limit, stop);
  return found;
}

Document search_document(const index::View& view, const std::string& query,
                         const SearchHits& found) {
  Document files = Document::list();
  for (const index::Hit& hit : found.files) {
    files.push(Document::map()
                   .set("path", view.path(hit.file))
                   .set("score", hit.score)
                   .set("language", to_string(view.language(hit.file))));
  }
  Document definitions = Document::list();
  for (const index::SymbolHit& hit : found.definitions) {
    definitions.push(Document::map()
                         .set("path", view.path(hit.file))
                         .set("line", hit.symbol.range.first_line)
                         .set("kind", to_string(hit.symbol.kind))
                         .set("name", hit.symbol.name));
  }
  return Document::map()
      .set("query", query)
      .set("definitions", std::move(definitions))
      .set("files", std::move(files));
}

Table definitions_table(const index::View& view, const SearchHits& found) {
  Table table{"defined in", {"where", "what"}, {}};
  for (const index::SymbolHit& hit : found.definitions) {
    table.rows.push_back(
        {{printable(view.path(hit.file)) + ":" + std::to_string(hit.symbol.range.first_line),
          Tone::kAccent},
         {std::string(to_string(hit.symbol.kind)) + " " + hit.symbol.name}});
  }
  return table;
}

Table files_table(const index::View& view, const SearchHits& found) {
  Table table{"found in", {"file", "language", "score"}, {}};
  // A search's scores have no scale of their own, so the best counts as 1.
  const double best = found.files.empty() ? 1 : found.files.front().score;
  for (const index::Hit& hit : found.files) {
    table.rows.push_back({{printable(view.path(hit.file)), Tone::kAccent},
                          {std::string(to_string(view.language(hit.file))), Tone::kDim},
                          {shown_score(best > 0 ? hit.score / best : 0)}});
  }
  return table;
}

base::Result<Report> search(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Asked wanted, asked(invocation, 0, context));
  CLEVER_ASSIGN(const std::size_t limit, count_option(invocation, "limit", kUsualLimit));
  CLEVER_ASSIGN(const auto look, ContextLook::open(invocation, context));
  CLEVER_ASSIGN(const auto view, look->view());
  const SearchHits found =
      find_hits(*view, wanted.text, invocation.flag("exact"), limit, context.stop());
  Report report;
  report.data = search_document(*view, wanted.text, found);
  if (!found.definitions.empty()) report.view.emplace_back(definitions_table(*view, found));
  if (!found.files.empty()) report.view.emplace_back(files_table(*view, found));
  if (report.view.empty()) report.view = {Prose{{{{"Nothing was found.", Tone::kWarn}}}}};
  for (const std::string& remark : look->remarks()) report.warn(remark);
  return report;
}

}  // namespace

Command context_search_command() {
  return {.name = "search",
          .summary = "Search the project's index",
          .description =
              "Searches contents, definitions and paths for the words, also as parts of "
              "identifiers, and lists the most relevant files first. A single name is also looked "
              "up where it is defined.",
          .positionals = {{.name = "QUERY", .summary = "Words or a name", .repeated = true}},
          .options = {{.name = "limit", .value = "N", .summary = "Show at most N (default 20)"},
                      {.name = "exact",
                       .summary = "Files that hold every word; words in double quotes follow each "
                                  "other"},
                      here_option()},
          .examples = {{"agents context search parse_line", "Where a name is defined and used"},
                       {"agents context search retry after a timeout", "What is about it"},
                       {"agents context search --exact '\"unexpected end\"'", "These words, so"}},
          .handler = search};
}

}  // namespace clever::service
