#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "io/file_watch.h"
#include "service/commands/commands.h"
#include "service/commands/context.h"
#include "service/commands/db.h"
#include "service/diagnostics/sections.h"
#include "service/text.h"
#include "service/work_folder.h"

namespace clever::service {
namespace {

// How often to look at the files if no event says that they changed. Looking takes a tenth of the
// time at most.
constexpr std::chrono::seconds kLookEvery{1};
constexpr int kRestAfterLook = 9;

struct Indexed {
  index::ViewStats files{};
  index::IndexStats index{};
  std::string folder{};
};

base::Result<Indexed> indexed(ContextLook& look) {
  CLEVER_ASSIGN(const auto view, look.view());
  CLEVER_ASSIGN(const auto index, look.code().views().index_of(look.project()));
  return Indexed{.files = view->stats(),
                 .index = index->stats(),
                 .folder = look.code().views().folder_of(look.project()).string()};
}

Document index_document(const Indexed& found) {
  Document languages = Document::map();
  for (const auto& [language, files] : found.files.languages) {
    languages.set(to_string(language), files);
  }
  return Document::map()
      .set("folder", found.folder)
      .set("files", found.files.files)
      .set("searched", found.files.searched)
      .set("bytes", found.files.bytes)
      .set("symbols", found.files.symbols)
      .set("languages", std::move(languages))
      .set("contents", found.index.blobs)
      .set("segments", found.index.segments)
      .set("bytes_on_disk", found.index.bytes_on_disk)
      .set("repaired", found.index.repaired);
}

std::string of_source(const Indexed& found) {
  if (found.files.bytes == 0) return {};
  const auto percent = found.index.bytes_on_disk * 100 / found.files.bytes;
  return ", " + std::to_string(percent) + " % of the source";
}

std::string sentence(const Indexed& found) {
  return counted(found.files.files, "file") + ", " + grouped(found.files.searched) +
         " of them searched by content, " + counted(found.files.symbols, "symbol") + ", " +
         readable_size(found.index.bytes_on_disk) + " on the disk";
}

Fields fields(const Indexed& found, const std::string& embedder) {
  Fields shown;
  const auto add = [&](const char* name, Span value) {
    shown.fields.push_back({name, std::move(value)});
  };
  add("folder", {found.folder, Tone::kAccent});
  add("files", {grouped(found.files.files)});
  add("searched by content", {grouped(found.files.searched)});
  add("source", {readable_size(found.files.bytes)});
  add("symbols", {grouped(found.files.symbols)});
  add("contents known", {grouped(found.index.blobs)});
  add("segments", {grouped(found.index.segments)});
  add("on the disk", {readable_size(found.index.bytes_on_disk) + of_source(found)});
  add("vectors", {embedder});
  return shown;
}

Table languages(const Indexed& found) {
  Table table{"languages", {"language", "files"}, {}};
  for (const auto& [language, files] : found.files.languages) {
    table.rows.push_back({{std::string(to_string(language)), Tone::kAccent}, {grouped(files)}});
  }
  return table;
}

void add_remarks(const ContextLook& look, Report& report) {
  for (const std::string& remark : look.remarks()) report.warn(remark);
}

bool is_same(const Indexed& left, const Indexed& right) {
  return left.files.files == right.files.files && left.files.bytes == right.files.bytes &&
         left.files.symbols == right.files.symbols && left.index.blobs == right.index.blobs;
}

// Git writes its index when files are added or committed; looking finds other changes.
std::filesystem::path watched_file(const git::Project& project) {
  return project.kind == git::ProjectKind::kRepository ? project.git_folder : project.root;
}

base::Result<void> keep_up(ContextLook& look, Indexed found, Context& context) {
  CLEVER_ASSIGN(io::FileWatch watch, io::FileWatch::open(watched_file(look.project())));
  const Screen screen = context.screen();
  CLEVER_TRY(screen.error_output("watching; Ctrl-C ends it\n"));
  base::Duration rest = kLookEvery;
  while (!context.stop().stop_requested()) {
    if (const auto changed = watch.wait(context.stop(), rest); !changed.ok()) break;
    const base::TimePoint began = context.clock().now();
    auto now = indexed(look);
    rest = std::max<base::Duration>(kLookEvery, (context.clock().now() - began) * kRestAfterLook);
    if (!now.ok()) {
      if (now.error().code() == base::ErrorCode::kCancelled) break;
      return now.error();
    }
    if (is_same(*now, found)) continue;
    found = std::move(now).value();
    CLEVER_TRY(screen.error_output("indexed: " + sentence(found) + "\n"));
  }
  return {};
}

base::Result<Report> build(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const auto look, ContextLook::open(invocation, context));
  CLEVER_ASSIGN(Indexed found, indexed(*look));
  if (invocation.flag("watch")) {
    CLEVER_TRY(keep_up(*look, found, context));
    CLEVER_ASSIGN(const auto index, look->code().views().index_of(look->project()));
    found.index = index->stats();
  }
  Report report;
  report.data = index_document(found);
  report.view = {Prose{{{{"indexed ", Tone::kGood}, {sentence(found)}}}}};
  add_remarks(*look, report);
  return report;
}

base::Result<Report> stats(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const auto look, ContextLook::open(invocation, context));
  CLEVER_ASSIGN(const Indexed found, indexed(*look));
  const index::Embedder* embedder = look->code().embedder();
  const std::string vectors = embedder == nullptr ? "off" : embedder->name();
  Report report;
  report.data = index_document(found);
  report.data.set("embedder", vectors);
  Document strategies = Document::list();
  std::vector<std::string> names;
  for (const auto& strategy : look->code().strategies()) {
    names.emplace_back(strategy->name());
    strategies.push(
        Document::map().set("name", strategy->name()).set("quality", strategy->quality()));
  }
  report.data.set("strategies", std::move(strategies));
  Fields shown = fields(found, vectors);
  shown.fields.push_back({"strategies", {base::joined(names)}});
  report.view = {std::move(shown), languages(found)};
  add_remarks(*look, report);
  return report;
}

}  // namespace

Command context_index_command() {
  return {.name = "index",
          .summary = "Bring the project's index up to date",
          .description =
              "Reads only contents that no branch, workspace or plan of the project had before. "
              "Plans do this themselves when they start; afterwards the first search is immediate. "
              "With --watch it runs until Ctrl-C.",
          .options = {{.name = "watch", .summary = "Keep it up to date as files change"},
                      here_option()},
          .examples = {{"agents context index", "Now"},
                       {"agents context index --watch", "From now on"}},
          .handler = build};
}

Command context_stats_command() {
  return {.name = "stats",
          .summary = "Show what the index holds and what it costs",
          .description = "Brings the index up to date first.",
          .options = {here_option()},
          .examples = {{"agents context stats", "Files, languages, size"},
                       {"agents context stats --format json", "For a program"}},
          .handler = stats};
}

}  // namespace clever::service
