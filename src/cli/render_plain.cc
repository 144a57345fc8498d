#include <algorithm>

#include "base/text.h"
#include "cli/render.h"
#include "cli/words.h"
#include "diff/tree_diff.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using Row = std::vector<std::string>;

void append_trimmed(std::string& to, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  to.append(line).push_back('\n');
}

struct PlainWriter {
  std::string& to;

  void operator()(const Prose& prose) const {
    for (const Line& line : prose.lines) append_trimmed(to, painted(line, Look{}));
  }
  void operator()(const Fields& fields) const {
    for (const Fields::Field& field : fields.fields) {
      append_trimmed(to, field.name + ": " + printable(field.value.text));
    }
  }
  void operator()(const Table& table) const {
    std::vector<Row> rows{table.columns};
    for (const auto& cells : table.rows) {
      Row row;
      for (const Span& cell : cells) row.push_back(printable(cell.text));
      rows.push_back(std::move(row));
    }
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const Row& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
    }
    for (const Row& row : rows) append_trimmed(to, aligned(row, widths));
  }
  void operator()(const Checks& checks) const {
    for (const Checks::Check& check : checks.checks) {
      std::string line = padded(to_string(check.verdict), 5) + checks.title + "/" + check.name +
                         ": " + printable(check.detail);
      if (!check.hint.empty()) line += " (" + printable(check.hint) + ")";
      append_trimmed(to, std::move(line));
    }
  }
  void operator()(const Markdown& markdown) const {
    const std::string_view text = base::trimmed(markdown.text, "\r\n");
    for (const std::string_view line : base::split(text, '\n')) {
      append_trimmed(to, std::string(markdown.indent, ' ') + printable(line));
    }
  }
  void operator()(const Raw& raw) const { to.append(raw.text); }
  void operator()(const Changes& changes) const { to.append(diff::unified(changes.files)); }

 private:
  static std::string aligned(const Row& row, const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i] + 2);
    return line;
  }
};

}  // namespace

std::string render_plain(const View& view) {
  std::string text;
  for (const Block& block : view) std::visit(PlainWriter{text}, block);
  return text;
}

}  // namespace clever::cli
