#include "service/diff/choosable.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "service/diff/diff_words.h"
#include "service/text.h"

namespace clever::service {
namespace {

using diff::FileDiff;

constexpr std::size_t kShortestId = 4;
constexpr std::size_t kMostListedParts = 12;

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    std::string part(base::trimmed(std::string_view(text).substr(begin, end - begin), " \t\r"));
    if (!part.empty()) parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

bool lies_in(const FileDiff& file, std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.starts_with("./")) path.remove_prefix(2);
  return file.path == path || (file.path.starts_with(path) && file.path.size() > path.size() &&
                               file.path[path.size()] == '/' && !path.empty());
}

std::vector<std::string> meant_by(const std::string& word, const std::vector<Choosable>& parts) {
  std::set<std::string> exact;
  std::set<std::string> begun;
  std::vector<std::string> inside;
  for (const Choosable& part : parts) {
    if (part.id == word) exact.insert(part.id);
    if (word.size() >= kShortestId && part.id.starts_with(word)) begun.insert(part.id);
    if (lies_in(*part.file, word)) inside.push_back(part.id);
  }
  if (!exact.empty()) return {exact.begin(), exact.end()};
  if (begun.size() == 1) return {begun.begin(), begun.end()};
  return inside;
}

std::string listed_parts(const std::vector<Choosable>& parts) {
  std::string list;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostListedParts); ++i) {
    list += (i == 0 ? "" : ", ") + parts[i].id + " (" + place_of(parts[i]) + ")";
  }
  if (parts.size() > kMostListedParts) {
    list += " and " + std::to_string(parts.size() - kMostListedParts) + " more";
  }
  return list;
}

}  // namespace

std::optional<std::string> whole_choice(const FileDiff& file) {
  const std::vector<std::string> choices = diff::choices_of(file);
  const std::string whole = diff::whole_file_id(file);
  if (choices.empty() || choices.front() != whole) return std::nullopt;
  return whole;
}

std::vector<Choosable> choosables(const std::vector<FileDiff>& files) {
  std::vector<Choosable> parts;
  for (const FileDiff& file : files) {
    const auto whole = whole_choice(file);
    if (whole) parts.push_back({*whole, &file, nullptr});
    for (const diff::Hunk& hunk : file.hunks) {
      // A link or a changed file type is one whole hunk.
      if (hunk.id != whole) parts.push_back({hunk.id, &file, &hunk});
    }
  }
  return parts;
}

std::string place_of(const Choosable& part) {
  const std::string path = git::printable(part.file->path);
  if (part.hunk == nullptr) return path;
  const diff::Hunk& hunk = *part.hunk;
  std::uint64_t line = hunk.new_start;
  for (const diff::Line& each : hunk.lines) {
    if (each.kind != diff::LineKind::kContext) break;
    ++line;
  }
  return path + ":" + std::to_string(std::max<std::uint64_t>(line, 1));
}

std::string what_of(const Choosable& part) {
  if (part.hunk != nullptr) {
    if (!part.file->before) return "new file";
    return part.file->after ? "lines" : "deleted";
  }
  std::string what;
  for (const std::string& remark : remarks_on(*part.file)) {
    what += (what.empty() ? "" : "; ") + remark;
  }
  return what;
}

base::Result<std::vector<std::string>> chosen_ids(const std::vector<std::string>& words,
                                                  const std::vector<Choosable>& parts) {
  std::set<std::string> chosen;
  for (const std::string& word : words) {
    const std::vector<std::string> ids = meant_by(word, parts);
    if (ids.empty()) {
      return base::conflict("no hunk or changed file is called " + in_quotes(word) +
                            "; apply would land " + listed_parts(parts));
    }
    chosen.insert(ids.begin(), ids.end());
  }
  std::vector<std::string> ids;
  for (const Choosable& part : parts) {
    if (chosen.erase(part.id) == 1) ids.push_back(part.id);
  }
  return ids;
}

std::vector<std::string> words_between_commas(const std::string& typed) {
  return parts_of(typed, ',');
}

std::vector<std::string> words_in_lines(const std::string& text) {
  std::vector<std::string> words = parts_of(text, '\n');
  std::erase_if(words, [](const std::string& word) { return word.starts_with('#'); });
  return words;
}

}  // namespace clever::service
