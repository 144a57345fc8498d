#include "service/diff/diff_words.h"

#include "service/diff/choosable.h"

namespace clever::service {
namespace {

using diff::FileDiff;

bool has_mode(const std::optional<git::Node>& node, git::FileMode mode) {
  return node && node->mode == mode;
}

bool is(const FileDiff& file, git::FileMode mode) {
  return has_mode(file.before, mode) || has_mode(file.after, mode);
}

std::string sizes(const FileDiff& file) {
  return std::to_string(file.old_size) + " → " + std::to_string(file.new_size) + " bytes";
}

std::string_view line_kind_name(diff::LineKind kind) {
  switch (kind) {
    case diff::LineKind::kAdded:
      return "added";
    case diff::LineKind::kRemoved:
      return "removed";
    case diff::LineKind::kContext:
      break;
  }
  return "context";
}

}  // namespace

std::string_view status_of(const FileDiff& file) {
  if (!file.before) return "added";
  if (!file.after) return "deleted";
  if (file.from) return "renamed";
  return file.before->id == file.after->id ? "mode" : "modified";
}

std::vector<std::string> remarks_on(const FileDiff& file) {
  std::vector<std::string> remarks;
  if (!file.before) remarks.emplace_back("new file");
  if (!file.after) remarks.emplace_back("deleted");
  if (file.from) {
    remarks.push_back(
        "renamed from " + git::printable(*file.from) +
        (file.similarity == 100 ? "" : ", " + std::to_string(file.similarity) + " % the same"));
  }
  if (file.before && file.after && file.before->mode != file.after->mode) {
    remarks.push_back("mode " + git::to_string(file.before->mode) + " → " +
                      git::to_string(file.after->mode));
  }
  if (is(file, git::FileMode::kLink)) remarks.emplace_back("symbolic link");
  if (is(file, git::FileMode::kSubmodule)) remarks.emplace_back("submodule");
  if (file.too_large) {
    remarks.push_back("too large to compare, " + sizes(file));
  } else if (file.binary) {
    remarks.push_back("binary, " + sizes(file));
  } else if (file.old_size == 0 && file.new_size == 0) {
    remarks.emplace_back("empty");
  }
  return remarks;
}

Document hunk_document(const diff::Hunk& hunk) {
  Document lines = Document::list();
  for (const diff::Line& line : hunk.lines) {
    lines.push(Document::map().set("kind", line_kind_name(line.kind)).set("text", line.text));
  }
  return Document::map()
      .set("id", hunk.id)
      .set("old_start", hunk.old_start)
      .set("old_lines", hunk.old_lines)
      .set("new_start", hunk.new_start)
      .set("new_lines", hunk.new_lines)
      .set("heading", hunk.heading)
      .set("lines", std::move(lines));
}

Document file_document(const FileDiff& file) {
  Document entry = Document::map()
                       .set("path", file.path)
                       .set("status", status_of(file))
                       .set("insertions", file.added)
                       .set("deletions", file.removed);
  if (file.from) entry.set("from", *file.from);
  if (file.binary) entry.set("binary", true);
  if (const auto whole = whole_choice(file)) {
    Document what = Document::list();
    for (const std::string& remark : remarks_on(file)) what.push(remark);
    entry.set("whole", Document::map().set("id", *whole).set("what", std::move(what)));
  }
  Document hunks = Document::list();
  for (const diff::Hunk& hunk : file.hunks) hunks.push(hunk_document(hunk));
  return std::move(entry).set("hunks", std::move(hunks));
}

}  // namespace clever::service
