#include "context/internal/log_output.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/number.h"
#include "base/utf8.h"
#include "context/internal/message_words.h"

namespace clever::context::internal {
namespace {

constexpr std::size_t kLongestMessage = 4096;
constexpr std::size_t kLongestSubject = 200;
constexpr std::uint32_t kSubjectWeight = 2;

// The pieces between zeros. A last piece without its zero was cut off.
class LogPieces {
 public:
  explicit LogPieces(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::optional<std::string_view> next() {
    const std::size_t end = rest_.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view piece = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return piece;
  }

 private:
  std::string_view rest_;
};

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

// "ID TIME PARENT…"
std::optional<Commit> head_from(std::string_view text) {
  Commit commit;
  const auto id = git::ObjectId::from_hex(take_word(text));
  const std::string_view time = take_word(text);
  const auto seconds = base::to_number<decltype(commit.time)>(time);
  if (!id.ok() || !seconds) return std::nullopt;
  commit.id = *id;
  commit.time = *seconds;
  while (!text.empty()) {
    const auto parent = git::ObjectId::from_hex(take_word(text));
    if (!parent.ok()) return std::nullopt;
    commit.parents.push_back(*parent);
  }
  return commit;
}

std::string_view first_line_of(std::string_view message) {
  return message.substr(0, std::min(message.find('\n'), message.size()));
}

std::vector<WordCount> count_words(std::string_view message, TextTable& table) {
  std::map<std::uint32_t, std::uint32_t> counts;
  const std::string_view subject = first_line_of(message);
  for (const std::string& word : message_words(subject)) counts[table.add(word)] += kSubjectWeight;
  for (const std::string& word : message_words(message.substr(subject.size()))) {
    counts[table.add(word)] += 1;
  }
  std::vector<WordCount> words;
  words.reserve(counts.size());
  for (const auto& [word, count] : counts) words.push_back({word, count});
  return words;
}

struct RawChange {
  char kind = 'M';
  std::string_view path{};
  std::string_view from{};
};

// Returns none at the end of the list, or where it was cut off.
std::optional<RawChange> next_change(LogPieces& pieces) {
  auto kind = pieces.next();
  if (!kind) return std::nullopt;
  if (kind->starts_with('\n')) kind->remove_prefix(1);
  if (kind->empty()) return std::nullopt;
  RawChange change{.kind = kind->front()};
  if (change.kind == 'R' || change.kind == 'C') {
    const auto from = pieces.next();
    if (!from) return std::nullopt;
    change.from = *from;
  }
  const auto path = pieces.next();
  if (!path) return std::nullopt;
  change.path = *path;
  return change;
}

Change::Kind kind_of(char letter) {
  if (letter == 'R') return Change::Kind::kRenamed;
  return letter == 'D' ? Change::Kind::kDeleted : Change::Kind::kChanged;
}

void take_changes(const std::vector<RawChange>& changes, std::size_t most_files, Commit& commit,
                  TextTable& paths) {
  commit.files = static_cast<std::uint32_t>(changes.size());
  const bool all = changes.size() <= most_files;
  for (const RawChange& change : changes) {
    const Change::Kind kind = kind_of(change.kind);
    if (!all && kind == Change::Kind::kChanged) continue;
    const std::uint32_t from = kind == Change::Kind::kRenamed ? paths.add(change.from) : 0;
    commit.changes.push_back({kind, paths.add(change.path), from});
  }
}

// The pieces of one commit: its head, its message, nothing, its changes, nothing.
void read_logged_commit(std::string_view head, LogPieces& pieces, std::size_t most_files,
                        CommitTable& table) {
  auto commit = head_from(head);
  const auto message = pieces.next();
  if (!commit || !message || !pieces.next()) return;
  std::vector<RawChange> changes;
  while (const auto change = next_change(pieces)) changes.push_back(*change);
  const std::string_view text = message->substr(0, kLongestMessage);
  commit->subject = base::to_valid_utf8(base::utf8_prefix(first_line_of(text), kLongestSubject));
  if (commit->parents.size() < 2) {
    commit->words = count_words(text, table.words);
    take_changes(changes, most_files, *commit, table.paths);
  }
  table.commits.push_back(*std::move(commit));
}

}  // namespace

std::vector<std::string> log_arguments(std::size_t most_commits, Renames renames) {
  return {"-c",
          "log.showRoot=true",
          "log",
          "-z",
          "--no-show-signature",
          "--no-color",
          "--no-notes",
          "--no-ext-diff",
          "--encoding=UTF-8",
          "--name-status",
          renames == Renames::kAlike ? "-M" : "-M100%",
          "-l400",
          "--ignore-submodules=all",
          "--format=tformat:%x00%H %ct %P%x00%B%x00",
          "--max-count=" + std::to_string(most_commits)};
}

void read_log(std::string_view output, std::size_t most_files, CommitTable& table) {
  LogPieces pieces(output);
  while (const auto piece = pieces.next()) {
    if (!piece->empty()) read_logged_commit(*piece, pieces, most_files, table);
  }
}

}  // namespace clever::context::internal
