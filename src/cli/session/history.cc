#include "cli/session/history.h"

#include <algorithm>

#include "io/append_file.h"
#include "io/file.h"

namespace clever::cli {

std::string history_line(std::string_view entry) {
  std::string line;
  for (const char c : entry) {
    if (c == '\\') {
      line += "\\\\";
    } else if (c == '\n') {
      line += "\\n";
    } else {
      line.push_back(c);
    }
  }
  return line;
}

std::string history_entry(std::string_view line) {
  std::string entry;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool escaped = line[at] == '\\' && at + 1 < line.size();
    if (escaped) ++at;
    entry.push_back(escaped && line[at] == 'n' ? '\n' : line[at]);
  }
  return entry;
}

base::Result<std::vector<std::string>> load_history(const std::filesystem::path& file) {
  auto content = io::read_file(file);
  if (!content.ok()) {
    if (content.error().code() == base::ErrorCode::kNotFound) return std::vector<std::string>();
    return content.error();
  }
  std::vector<std::string> entries;
  for (std::string_view rest = *content; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) entries.push_back(history_entry(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // Rewrites the file rarely, so that at most one entry of another conversation is lost.
  if (entries.size() > 2 * kMostHistory) {
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(kMostHistory));
    std::string kept;
    for (const std::string& entry : entries) kept += history_line(entry) + "\n";
    CLEVER_TRY(io::write_file_atomically(file, kept));
  }
  return entries;
}

base::Result<void> add_to_history(const std::filesystem::path& file, std::string_view entry) {
  if (entry.empty()) return {};
  CLEVER_TRY(io::make_directories(file.parent_path()));
  CLEVER_ASSIGN(io::AppendFile history, io::AppendFile::open(file));
  return history.append(history_line(entry) + "\n");
}

}  // namespace clever::cli
