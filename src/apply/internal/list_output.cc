#include "apply/internal/list_output.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace clever::apply::internal {
namespace {

std::uint32_t octal(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 8);
  return number;
}

// "100644 blob ID\tpath", as ls-tree writes it.
void add_tree_entry(Entries& entries, std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return;
  const auto words = split(line.substr(0, tab), ' ');
  if (words.size() != 3) return;
  entries[std::string(line.substr(tab + 1))] = {octal(words[0]), std::string(words[2])};
}

// "H 100644 ID 0\tpath", as ls-files writes it.
void add_index_entry(Entries& entries, std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return;
  const auto words = split(line.substr(0, tab), ' ');
  if (words.size() != 4) return;
  entries[std::string(line.substr(tab + 1))] = {octal(words[1]), std::string(words[2]),
                                                words[0] == "S"};
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void add_tree_entries(Entries& entries, std::string_view output) {
  for (const std::string_view line : split(output, '\0')) add_tree_entry(entries, line);
}

void add_index_entries(Entries& entries, std::string_view output) {
  for (const std::string_view line : split(output, '\0')) add_index_entry(entries, line);
}

Entries parse_index_entries(std::string_view output) {
  Entries entries;
  add_index_entries(entries, output);
  return entries;
}

std::string index_lines(const std::vector<IndexEntry>& entries) {
  std::string lines;
  // Removals first: a file may replace a folder of its name.
  for (const bool removal : {true, false}) {
    for (const IndexEntry& entry : entries) {
      if ((entry.mode == 0) != removal) continue;
      char mode[16] = {};
      std::to_chars(mode, mode + sizeof mode, entry.mode, 8);
      lines += std::string(mode) + " " + (removal ? std::string(kNoCommit) : entry.object) + "\t" +
               entry.path + '\0';
    }
  }
  return lines;
}

}  // namespace clever::apply::internal
