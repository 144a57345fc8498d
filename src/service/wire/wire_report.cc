#include "service/wire/wire_report.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/number.h"
#include "service/wire/wire_document.h"

namespace clever::service {
namespace {

using diff::FileDiff;
using diff::LineKind;

constexpr std::array kTones{Tone::kPlain, Tone::kStrong, Tone::kDim,   Tone::kGood,
                            Tone::kWarn,  Tone::kBad,    Tone::kAccent};
constexpr std::array<std::string_view, 7> kToneNames{"plain", "strong", "dim",   "good",
                                                     "warn",  "bad",    "accent"};
constexpr std::array kVerdicts{Verdict::kOk, Verdict::kWarn, Verdict::kFail};
constexpr std::array kStatuses{Status::kOk, Status::kWarn, Status::kError};
constexpr std::array kLevels{Message::Level::kNote, Message::Level::kWarning,
                             Message::Level::kError, Message::Level::kHint, Message::Level::kUsage};
constexpr std::array kShapes{DiffShape::kUnified, DiffShape::kStat, DiffShape::kWords,
                             DiffShape::kNames, DiffShape::kSides};
constexpr std::array<std::string_view, 5> kShapeNames{"unified", "stat", "words", "names", "sides"};
constexpr std::string_view kLineMarks = " +-";

// The value of that name; the first one if there is none.
template <class T, std::size_t N>
T named(const std::array<T, N>& values, std::string_view name) {
  const auto found = std::ranges::find_if(
      values, [name](T value) { return std::string_view(to_string(value)) == name; });
  return found == values.end() ? values.front() : *found;
}

template <class T, std::size_t N>
T named(const std::array<T, N>& values, const std::array<std::string_view, N>& names,
        std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? values.front()
                              : values[static_cast<std::size_t>(found - names.begin())];
}

Document span_document(const Span& span) {
  if (span.tone == Tone::kPlain) return bytes_document(span.text);
  return Document::map()
      .set("tone", kToneNames[static_cast<std::size_t>(span.tone)])
      .set("text", bytes_document(span.text));
}

Span span_of(const Document& document) {
  if (document.find("tone") == nullptr) return {bytes_of(document)};
  return {bytes_at(document, "text"), named(kTones, kToneNames, text_at(document, "tone"))};
}

template <class Items, class ToDocument>
Document list_document(const Items& items, ToDocument&& to_document) {
  Document list = Document::list();
  for (const auto& item : items) list.push(to_document(item));
  return list;
}

Document prose_document(const Prose& prose) {
  return Document::map().set("lines", list_document(prose.lines, line_document));
}

Prose prose_of(const Document& document) {
  Prose prose;
  for (const Document& line : list_at(document, "lines")) prose.lines.push_back(line_of(line));
  return prose;
}

Document fields_document(const Fields& fields) {
  return Document::map()
      .set("title", fields.title)
      .set(
          "fields", list_document(fields.fields, [](const Fields::Field& field) {
            return Document::map().set("name", field.name).set("value", span_document(field.value));
          }));
}

Fields fields_of(const Document& document) {
  Fields fields{text_at(document, "title"), {}};
  for (const Document& field : list_at(document, "fields")) {
    const Document* value = field.find("value");
    fields.fields.push_back({text_at(field, "name"), value == nullptr ? Span() : span_of(*value)});
  }
  return fields;
}

Document grid_document(const Table& table) {
  return Document::map()
      .set("title", table.title)
      .set("columns", Document::texts(table.columns))
      .set("rows", list_document(table.rows, line_document));
}

Table table_of(const Document& document) {
  Table table{text_at(document, "title"), texts_at(document, "columns"), {}};
  for (const Document& row : list_at(document, "rows")) table.rows.push_back(line_of(row));
  return table;
}

Document checks_document(const Checks& checks) {
  return Document::map()
      .set("title", checks.title)
      .set("checks", list_document(checks.checks, [](const Checks::Check& check) {
             return Document::map()
                 .set("name", check.name)
                 .set("verdict", to_string(check.verdict))
                 .set("detail", check.detail)
                 .set("hint", check.hint);
           }));
}

Checks checks_of(const Document& document) {
  Checks checks{text_at(document, "title"), {}};
  for (const Document& check : list_at(document, "checks")) {
    checks.checks.push_back({text_at(check, "name"), named(kVerdicts, text_at(check, "verdict")),
                             text_at(check, "detail"), text_at(check, "hint")});
  }
  return checks;
}

Document node_document(const std::optional<git::Node>& node) {
  if (!node) return {};
  return Document::map()
      .set("mode", static_cast<std::int64_t>(node->mode))
      .set("id", node->id.to_hex());
}

std::optional<git::Node> node_at(const Document& document, std::string_view key) {
  const Document* node = document.find(key);
  if (node == nullptr || node->is_null()) return std::nullopt;
  return git::Node{static_cast<git::FileMode>(number_at(*node, "mode")),
                   git::ObjectId::from_hex(text_at(*node, "id")).value_or(git::ObjectId())};
}

Document hunk_document(const diff::Hunk& hunk) {
  return Document::map()
      .set("id", hunk.id)
      .set("old_start", hunk.old_start)
      .set("old_lines", hunk.old_lines)
      .set("new_start", hunk.new_start)
      .set("new_lines", hunk.new_lines)
      .set("heading", bytes_document(hunk.heading))
      .set("lines", list_document(hunk.lines, [](const diff::Line& line) {
             return bytes_document(kLineMarks[static_cast<std::size_t>(line.kind)] + line.text);
           }));
}

std::uint64_t count_at(const Document& document, std::string_view key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(number_at(document, key), 0));
}

diff::Hunk hunk_of(const Document& document) {
  diff::Hunk hunk{.id = text_at(document, "id"),
                  .old_start = count_at(document, "old_start"),
                  .old_lines = count_at(document, "old_lines"),
                  .new_start = count_at(document, "new_start"),
                  .new_lines = count_at(document, "new_lines"),
                  .heading = bytes_at(document, "heading")};
  for (const Document& line : list_at(document, "lines")) {
    const std::string text = bytes_of(line);
    const std::size_t kind = text.empty() ? std::string::npos : kLineMarks.find(text.front());
    if (kind == std::string::npos) continue;
    hunk.lines.push_back({static_cast<LineKind>(kind), text.substr(1)});
  }
  return hunk;
}

Document file_document(const FileDiff& file) {
  return Document::map()
      .set("path", bytes_document(file.path))
      .set("from", file.from ? bytes_document(*file.from) : Document())
      .set("similarity", static_cast<std::int64_t>(file.similarity))
      .set("before", node_document(file.before))
      .set("after", node_document(file.after))
      .set("binary", file.binary)
      .set("old_size", file.old_size)
      .set("new_size", file.new_size)
      .set("too_large", file.too_large)
      .set("added", file.added)
      .set("removed", file.removed)
      .set("hunks", list_document(file.hunks, hunk_document));
}

FileDiff file_of(const Document& document) {
  FileDiff file{.path = bytes_at(document, "path"),
                .similarity = static_cast<std::uint32_t>(count_at(document, "similarity")),
                .before = node_at(document, "before"),
                .after = node_at(document, "after"),
                .binary = flag_at(document, "binary"),
                .old_size = count_at(document, "old_size"),
                .new_size = count_at(document, "new_size"),
                .too_large = flag_at(document, "too_large"),
                .added = count_at(document, "added"),
                .removed = count_at(document, "removed")};
  if (const Document* from = document.find("from"); from != nullptr && !from->is_null()) {
    file.from = bytes_of(*from);
  }
  for (const Document& hunk : list_at(document, "hunks")) file.hunks.push_back(hunk_of(hunk));
  return file;
}

Document changes_document(const Changes& changes) {
  return Document::map()
      .set("shape", kShapeNames[static_cast<std::size_t>(changes.shape)])
      .set("paged", changes.paged)
      .set("files", list_document(changes.files, file_document));
}

Changes changes_of(const Document& document) {
  Changes changes;
  changes.shape = named(kShapes, kShapeNames, text_at(document, "shape"));
  changes.paged = flag_at(document, "paged");
  for (const Document& file : list_at(document, "files")) changes.files.push_back(file_of(file));
  return changes;
}

// A block as {"its kind": {…}}.
Document block_document(const Block& block) {
  const auto tagged = [](std::string_view kind, Document content) {
    return Document::map().set(kind, std::move(content));
  };
  return std::visit(
      [&](const auto& part) {
        using Part = std::remove_cvref_t<decltype(part)>;
        if constexpr (std::is_same_v<Part, Prose>) return tagged("prose", prose_document(part));
        if constexpr (std::is_same_v<Part, Fields>) return tagged("fields", fields_document(part));
        if constexpr (std::is_same_v<Part, Table>) return tagged("table", grid_document(part));
        if constexpr (std::is_same_v<Part, Checks>) return tagged("checks", checks_document(part));
        if constexpr (std::is_same_v<Part, Changes>) {
          return tagged("changes", changes_document(part));
        }
        if constexpr (std::is_same_v<Part, Raw>) return tagged("raw", bytes_document(part.text));
        if constexpr (std::is_same_v<Part, Markdown>) {
          return tagged(
              "markdown",
              Document::map().set("text", bytes_document(part.text)).set("indent", part.indent));
        }
      },
      block);
}

std::optional<Block> block_of(const Document& document) {
  if (const auto* part = document.find("prose")) return prose_of(*part);
  if (const auto* part = document.find("fields")) return fields_of(*part);
  if (const auto* part = document.find("table")) return table_of(*part);
  if (const auto* part = document.find("checks")) return checks_of(*part);
  if (const auto* part = document.find("changes")) return changes_of(*part);
  if (const auto* part = document.find("raw")) return Raw{bytes_of(*part)};
  if (const auto* part = document.find("markdown")) {
    return Markdown{bytes_at(*part, "text"), static_cast<std::size_t>(count_at(*part, "indent"))};
  }
  return std::nullopt;
}

Document message_document(const Message& message) {
  return Document::map()
      .set("level", to_string(message.level))
      .set("text", bytes_document(message.text))
      .set("said", message.said);
}

}  // namespace

Document line_document(const Line& line) { return list_document(line, span_document); }

Line line_of(const Document& document) {
  Line line;
  if (const auto* spans = std::get_if<Document::List>(&document.value())) {
    for (const Document& span : *spans) line.push_back(span_of(span));
  }
  return line;
}

Document view_document(const View& view) { return list_document(view, block_document); }

View view_of(const Document& document) {
  View view;
  if (const auto* blocks = std::get_if<Document::List>(&document.value())) {
    for (const Document& each : *blocks) {
      if (auto block = block_of(each)) view.push_back(*std::move(block));
    }
  }
  return view;
}

Document report_document(const Report& report) {
  return Document::map()
      .set("data", report.data)
      .set("view", view_document(report.view))
      .set("status", to_string(report.status))
      .set("exit_code", static_cast<std::int64_t>(report.exit_code))
      .set("messages", list_document(report.messages, message_document));
}

Report report_of(const Document& document) {
  Report report;
  report.status = named(kStatuses, text_at(document, "status"));
  if (const Document* data = document.find("data")) report.data = *data;
  if (const Document* view = document.find("view")) report.view = view_of(*view);
  const std::int64_t code = number_at(document, "exit_code");
  const bool is_known = code >= 0 && code < static_cast<std::int64_t>(kExitCodes.size());
  report.exit_code = is_known ? static_cast<ExitCode>(code) : ExitCode::kError;
  for (const Document& message : list_at(document, "messages")) {
    report.messages.push_back({named(kLevels, text_at(message, "level")), bytes_at(message, "text"),
                               flag_at(message, "said")});
  }
  return report;
}

}  // namespace clever::service
