#include "diff/internal/file_header.h"

#include <span>

#include "diff/internal/hunks.h"
#include "diff/internal/whole_file.h"
#include "diff/quote.h"

namespace clever::diff::internal {
namespace {

FileDiff half(const FileDiff& file, LineKind kind) {
  FileDiff part;
  part.path = file.path;
  const bool removal = kind == LineKind::kRemoved;
  (removal ? part.before : part.after) = removal ? file.before : file.after;
  part.too_large = file.too_large;
  for (const Hunk& hunk : file.hunks) {
    if (count_lines(std::span(&hunk, 1), kind) > 0) part.hunks.push_back(hunk);
  }
  // Text has a hunk, unless it is empty.
  part.binary = file.binary && part.hunks.empty() && (removal ? file.old_size : file.new_size) > 0;
  return part;
}

std::string old_name(const FileDiff& file) { return "a/" + file.from.value_or(file.path); }
std::string new_name(const FileDiff& file) { return "b/" + file.path; }

std::string mode_lines(const FileDiff& file) {
  if (!file.before) return "new file mode " + git::to_string(file.after->mode) + "\n";
  if (!file.after) return "deleted file mode " + git::to_string(file.before->mode) + "\n";
  if (!changes_mode(file)) return "";
  return "old mode " + git::to_string(file.before->mode) + "\nnew mode " +
         git::to_string(file.after->mode) + "\n";
}

std::string rename_lines(const FileDiff& file) {
  if (!file.from) return "";
  return "similarity index " + std::to_string(file.similarity) + "%\nrename from " +
         quoted_path(*file.from) + "\nrename to " + quoted_path(file.path) + "\n";
}

std::string hex_of(const std::optional<git::Node>& node) {
  return (node ? node->id : git::ObjectId()).to_hex();
}

std::string index_line(const FileDiff& file) {
  if (hex_of(file.before) == hex_of(file.after)) return "";
  std::string line = "index " + hex_of(file.before) + ".." + hex_of(file.after);
  const bool same_mode = file.before && file.after && file.before->mode == file.after->mode;
  return line + (same_mode ? " " + git::to_string(file.after->mode) : "") + "\n";
}

std::string content_name(bool present, const std::string& name) {
  return present ? quoted_path(name) : "/dev/null";
}

// A tab ends a name with blanks.
std::string name_line(std::string_view sign, bool present, const std::string& name) {
  const std::string shown = content_name(present, name);
  return std::string(sign) + shown + (shown.contains(' ') ? "\t\n" : "\n");
}

std::string content_lines(const FileDiff& file) {
  if (file.binary || file.too_large) {
    if (index_line(file).empty()) return "";
    return "Binary files " + content_name(file.before.has_value(), old_name(file)) + " and " +
           content_name(file.after.has_value(), new_name(file)) + " differ\n";
  }
  if (file.hunks.empty()) return "";
  return name_line("--- ", file.before.has_value(), old_name(file)) +
         name_line("+++ ", file.after.has_value(), new_name(file));
}

// Where only the first line holds the name, git misreads a blank before a slash, even its own.
std::string first_line_name(const FileDiff& file, const std::string& name) {
  const bool is_repeated = file.from || content_lines(file).starts_with("---");
  return name.contains(" /") && !is_repeated ? always_quoted(name) : quoted_path(name);
}

std::string range(std::uint64_t start, std::uint64_t lines) {
  return std::to_string(start) + (lines == 1 ? "" : "," + std::to_string(lines));
}

}  // namespace

std::vector<FileDiff> printed_parts(const FileDiff& file) {
  if (!changes_kind(file)) return {file};
  return {half(file, LineKind::kRemoved), half(file, LineKind::kAdded)};
}

std::string file_header(const FileDiff& file) {
  return "diff --git " + first_line_name(file, old_name(file)) + " " +
         first_line_name(file, new_name(file)) + "\n" + mode_lines(file) + rename_lines(file) +
         index_line(file) + content_lines(file);
}

std::string hunk_header(const Hunk& hunk) {
  return "@@ -" + range(hunk.old_start, hunk.old_lines) + " +" +
         range(hunk.new_start, hunk.new_lines) + " @@" +
         (hunk.heading.empty() ? "" : " " + hunk.heading) + "\n";
}

}  // namespace clever::diff::internal
