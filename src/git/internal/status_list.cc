#include "git/internal/status_list.h"

#include <algorithm>

#include "base/number.h"
#include "git/internal/lines.h"

namespace clever::git::internal {
namespace {

base::Error unexpected(std::string_view command) {
  return base::corruption("git " + std::string(command) + " printed something unexpected");
}

// The first words of a record; the path, which may contain spaces, is the rest.
struct Words {
  std::vector<std::string_view> words;
  std::string_view rest;
};

std::optional<Words> split(std::string_view record, std::size_t count) {
  Words words{.words = {}, .rest = record};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t space = words.rest.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    words.words.push_back(words.rest.substr(0, space));
    words.rest.remove_prefix(space + 1);
  }
  if (words.rest.empty()) return std::nullopt;
  return words;
}

std::optional<FileMode> status_mode(std::string_view digits) {
  constexpr int kOctal = 8;
  const auto number = base::to_number<std::uint32_t>(digits, kOctal);
  if (!number) return std::nullopt;
  switch (static_cast<FileMode>(*number)) {
    case FileMode::kDirectory:
    case FileMode::kFile:
    case FileMode::kExecutable:
    case FileMode::kLink:
    case FileMode::kSubmodule:
      return static_cast<FileMode>(*number);
  }
  return std::nullopt;
}

constexpr std::string_view kNoMode = "000000";

std::optional<Node> node_from(std::string_view mode_digits, std::string_view id_digits) {
  const auto mode = status_mode(mode_digits);
  const auto id = ObjectId::from_hex(id_digits);
  if (!mode || !id.ok()) return std::nullopt;
  return Node{.mode = *mode, .id = *id};
}

// "1 XY sub mH mI mW hH hI path"
std::optional<StatusEntry> changed_entry(std::string_view record) {
  const auto split_record = split(record, 8);
  if (!split_record || split_record->words[1].size() != 2) return std::nullopt;
  const auto& words = split_record->words;
  StatusEntry entry{.path = std::string(split_record->rest),
                    .differs_from_index = words[1][1] != '.',
                    .committed = node_from(words[3], words[6]),
                    .staged = node_from(words[4], words[7])};
  const bool whole = (entry.committed.has_value() || words[3] == kNoMode) &&
                     (entry.staged.has_value() || words[4] == kNoMode);
  if (!whole) return std::nullopt;
  return entry;
}

// "u XY sub m1 m2 m3 mW h1 h2 h3 path"
std::optional<StatusEntry> unmerged_entry(std::string_view record) {
  const auto words = split(record, 10);
  if (!words) return std::nullopt;
  return StatusEntry{.path = std::string(words->rest), .unmerged = true};
}

std::optional<StatusEntry> entry_from(std::string_view record) {
  if (record.starts_with("1 ")) return changed_entry(record);
  if (record.starts_with("u ")) return unmerged_entry(record);
  if (record.starts_with("? ") && record.size() > 2) {
    return StatusEntry{.path = std::string(record.substr(2)), .untracked = true};
  }
  return std::nullopt;
}

// For a HEAD outside the branches ("refs/other") git prints no useful name.
std::optional<std::string> branch_from(std::string_view name) {
  if (name == "(detached)") return std::string();
  if (name.empty() || name.starts_with('(')) return std::nullopt;
  return "refs/heads/" + std::string(name);
}

}  // namespace

base::Result<StatusList> parse_status(std::string_view output) {
  constexpr std::string_view kCommit = "# branch.oid ";
  constexpr std::string_view kBranch = "# branch.head ";
  StatusList list;
  for (const std::string_view record : pieces_of(output, '\0')) {
    if (record.starts_with(kCommit)) {
      const auto id = ObjectId::from_hex(record.substr(kCommit.size()));
      if (id.ok()) list.commit = *id;
    }
    if (record.starts_with(kBranch)) list.branch = branch_from(record.substr(kBranch.size()));
    if (record.starts_with("# ")) continue;
    auto entry = entry_from(record);
    if (!entry) return unexpected("status");
    list.entries.push_back(std::move(*entry));
  }
  return list;
}

base::Result<std::vector<IndexEntry>> parse_stage_list(std::string_view output) {
  std::vector<IndexEntry> entries;
  for (const std::string_view record : pieces_of(output, '\0')) {
    // "100644 ID 0<tab>path"
    const std::size_t tab = std::min(record.find('\t'), record.size());
    const auto words = split(record.substr(0, tab), 2);
    const auto node = words ? node_from(words->words[0], words->words[1]) : std::nullopt;
    if (!node || record.size() - tab < 2) return unexpected("ls-files");
    entries.push_back({.path = record.substr(tab + 1), .node = *node});
  }
  return entries;
}

}  // namespace clever::git::internal
