#include <utility>

#include "cli/markdown.h"
#include "cli/render.h"
#include "diff/tree_diff.h"

namespace clever::cli {
namespace {

Tone tone_of_verdict(Verdict verdict) noexcept {
  if (verdict == Verdict::kOk) return Tone::kGood;
  return verdict == Verdict::kWarn ? Tone::kWarn : Tone::kBad;
}

/// Joins consecutive blocks of checks into one table with a column for their title.
class TableWriter {
 public:
  explicit TableWriter(const Look& look) : look_(look) {}

  std::string write(const View& view) {
    for (const Block& block : view) {
      if (!std::holds_alternative<Checks>(block)) flush_checks();
      std::visit([this](const auto& part) { add(part); }, block);
    }
    flush_checks();
    return std::move(text_);
  }

 private:
  void add(const Prose& prose) {
    for (const Line& line : prose.lines) text_.append(painted(line, look_)).push_back('\n');
  }
  void add(const Fields& fields) {
    Table table{fields.title, {"name", "value"}, {}};
    for (const auto& field : fields.fields) table.rows.push_back({{field.name}, field.value});
    add(table);
  }
  void add(const Table& table) { text_.append(boxed(table, look_)); }
  void add(const Markdown& markdown) {
    for (const std::string& row : markdown_rows(markdown, look_)) text_.append(row).push_back('\n');
  }
  void add(const Raw& raw) { text_.append(raw.text); }
  void add(const Changes& changes) { text_.append(diff::unified(changes.files)); }
  void add(const Checks& checks) {
    for (const auto& check : checks.checks) {
      const std::string note = check.hint.empty() ? "" : " (" + check.hint + ")";
      checks_.rows.push_back(
          {{checks.title},
           {check.name},
           {std::string(to_string(check.verdict)), tone_of_verdict(check.verdict)},
           {check.detail + note}});
    }
  }

  void flush_checks() {
    if (!checks_.rows.empty()) add(checks_);
    checks_.rows.clear();
  }

  const Look& look_;
  std::string text_;
  Table checks_{"", {"section", "check", "status", "detail"}, {}};
};

}  // namespace

std::string render_table(const View& view, const Look& look) {
  return TableWriter(look).write(view);
}

}  // namespace clever::cli
