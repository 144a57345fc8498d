#include "cli/commands/commands.h"
#include "cli/commands/plan.h"
#include "cli/text.h"
#include "diff/tree_diff.h"

namespace clever::cli {
namespace {

using diff::FileDiff;

// Keeps a diff from steering the terminal: control characters but for tabs are shown as such.
std::string safe_line(std::string_view line) {
  std::string shown;
  std::size_t begin = 0;
  while (true) {
    const std::size_t tab = std::min(line.find('\t', begin), line.size());
    shown += printable(line.substr(begin, tab - begin));
    if (tab == line.size()) return shown;
    shown.push_back('\t');
    begin = tab + 1;
  }
}

Tone tone_of_line(std::string_view line) {
  if (line.starts_with("diff ") || line.starts_with("--- ") || line.starts_with("+++ ") ||
      line.starts_with("index ")) {
    return Tone::kStrong;
  }
  if (line.starts_with("@@")) return Tone::kAccent;
  if (line.starts_with('+')) return Tone::kGood;
  return line.starts_with('-') ? Tone::kBad : Tone::kPlain;
}

// Of a word diff: [-removed-] and {+added+} within the line.
std::string painted_words(std::string_view line, const Look& look) {
  std::string shown;
  while (!line.empty()) {
    const std::size_t removed = line.find("[-");
    const std::size_t added = line.find("{+");
    const std::size_t at = std::min(removed, added);
    const std::string_view close = removed < added ? "-]" : "+}";
    const std::size_t end = at == std::string_view::npos ? at : line.find(close, at);
    if (end == std::string_view::npos) return shown + safe_line(line);
    const std::string_view piece = line.substr(at, end + 2 - at);
    shown += safe_line(line.substr(0, at));
    shown += painted(safe_line(piece), removed < added ? Tone::kBad : Tone::kGood, look);
    line.remove_prefix(end + 2);
  }
  return shown;
}

std::string painted_stat(std::string_view line, const Look& look) {
  const std::size_t bar = line.rfind('|');
  const std::size_t graph = bar == std::string_view::npos ? bar : line.find_first_of("+-", bar);
  if (graph == std::string_view::npos) return safe_line(line);
  const std::size_t minus = std::min(line.find('-', graph), line.size());
  return safe_line(line.substr(0, graph)) +
         painted(line.substr(graph, minus - graph), Tone::kGood, look) +
         painted(line.substr(minus), Tone::kBad, look);
}

enum class Shape : std::uint8_t { kUnified, kStat, kWords, kNames };

std::string shown_line(std::string_view line, Shape shape, const Look& look) {
  if (shape == Shape::kStat) return painted_stat(line, look);
  if (shape == Shape::kWords && tone_of_line(line) != Tone::kAccent &&
      tone_of_line(line) != Tone::kStrong) {
    return painted_words(line, look);
  }
  return painted(safe_line(line), shape == Shape::kNames ? Tone::kPlain : tone_of_line(line), look);
}

// For eyes: coloured, and without control characters.
std::string for_people(std::string_view text, Shape shape, const Look& look) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += shown_line(text.substr(0, end), shape, look) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

base::Result<Shape> shape_of(const Invocation& invocation) {
  const bool stat = invocation.flag("stat");
  const bool word = invocation.flag("word");
  const bool names = invocation.flag("name-only");
  if (int{stat} + int{word} + int{names} > 1) {
    return base::invalid_argument("--stat, --word and --name-only exclude each other");
  }
  if (stat) return Shape::kStat;
  if (word) return Shape::kWords;
  return names ? Shape::kNames : Shape::kUnified;
}

std::string text_of(const std::vector<FileDiff>& files, Shape shape, std::size_t width) {
  switch (shape) {
    case Shape::kStat:
      return diff::stat(files, width);
    case Shape::kWords:
      return diff::word_diff(files);
    case Shape::kNames: {
      std::string names;
      for (const FileDiff& file : files) names += file.path + "\n";
      return names;
    }
    case Shape::kUnified:
      break;
  }
  return diff::unified(files);
}

base::Result<Report> diff_of(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Shape shape, shape_of(invocation));
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(const auto look, PlanLook::open(plan.database, context));
  CLEVER_ASSIGN(const engine::PlanFiles files, look->files(plan.state));
  CLEVER_ASSIGN(const auto changed, changed_files(files, context.stop()));
  CLEVER_ASSIGN(const auto diffs,
                diff::diff_trees(*files.store, files.base, files.tree, {}, context.stop()));
  const auto& digest = plan.state.changeset.digest;
  Report report;
  report.data.set("plan_id", plan.summary.id.to_string())
      .set("phase", plan.summary.phase)
      .set("state", plan.summary.state)
      .set("digest", digest ? Document(digest->to_hex()) : Document())
      .set("files", files_document(changed))
      .set("diff", text_of(diffs, shape == Shape::kWords ? shape : Shape::kUnified, 0));
  const Screen screen = context.screen();
  const std::string text = text_of(diffs, shape, context.width());
  // In a pipe the bytes are those that `git apply` takes.
  const bool exact = !screen.output_is_terminal && screen.format == Format::kPlain;
  report.view = {Raw{exact ? text : for_people(text, shape, screen.output_look)}};
  if (diffs.empty()) {
    report.messages.push_back({Message::Level::kNote, "the plan changed nothing"});
  } else if (!plan.state.changeset.digest && !plan.state.parent) {
    report.messages.push_back(
        {Message::Level::kNote, "the plan is in " + place_of(plan.state) + ": this may change"});
  }
  return report;
}

}  // namespace

Command plan_diff_command() {
  return {.name = "diff",
          .summary = "Show what a plan would change",
          .description =
              "The difference between what the plan began with and what it has made so far, as "
              "`git apply` takes it. Works for subplans as well. The JSON has the files, the "
              "unified text and the digest that `agents plan apply --digest` wants.",
          .positionals = {plan_positional()},
          .options = {{.name = "stat", .summary = "Only how much changed in each file"},
                      {.name = "word", .summary = "Mark changed words instead of lines"},
                      {.name = "name-only", .summary = "Only the names of the files"},
                      plan_database_option()},
          .examples = {{"agents plan diff", "All of it"},
                       {"agents plan diff --stat", "Only how much, by file"},
                       {"agents plan diff 01JD --format json", "Of a certain plan, for a program"}},
          .handler = diff_of};
}

Command diff_command() {
  Command command = plan_diff_command();
  command.description = "Short for `agents plan diff`.";
  command.examples = {{"agents diff", "All of it"},
                      {"agents diff --stat", "Only how much, by file"}};
  return command;
}

}  // namespace clever::cli
