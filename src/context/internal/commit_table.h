#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "git/object_id.h"

namespace clever::context::internal {

/// Texts by number: 0, 1, 2, … in order of insertion. Reading is thread-safe.
class TextTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  TextTable() = default;
  TextTable(TextTable&&) noexcept = default;
  TextTable& operator=(TextTable&&) noexcept = default;
  // The keys point into the texts.
  TextTable(const TextTable&) = delete;
  TextTable& operator=(const TextTable&) = delete;

  std::uint32_t add(std::string_view text);
  [[nodiscard]] std::uint32_t find(std::string_view text) const;
  [[nodiscard]] const std::string& operator[](std::uint32_t number) const { return texts_[number]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  void reserve(std::size_t size) { numbers_.reserve(size); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

/// A commit's change of one file. Paths are numbers in the table's `paths`.
struct Change {
  enum class Kind : std::uint8_t { kChanged, kDeleted, kRenamed };
  Kind kind = Kind::kChanged;
  std::uint32_t path = 0;
  /// The former name, if it was renamed.
  std::uint32_t from = 0;
  friend bool operator==(const Change&, const Change&) = default;
};

struct WordCount {
  std::uint32_t word = 0;
  std::uint32_t count = 0;
  friend bool operator==(const WordCount&, const WordCount&) = default;
};

struct Commit {
  git::ObjectId id{};
  std::vector<git::ObjectId> parents{};
  /// Seconds since 1970, by the committer's clock.
  std::int64_t time = 0;
  std::string subject{};
  std::vector<WordCount> words{};
  /// How many files it touched.
  std::uint32_t files = 0;
  /// For a commit that touched too many: only renames and deletions.
  std::vector<Change> changes{};
  friend bool operator==(const Commit&, const Commit&) = default;
};

/// Commits, with everything needed to search them. Movable only.
struct CommitTable {
  TextTable words{};
  TextTable paths{};
  std::vector<Commit> commits{};
  /// Commits with all their ancestors in the table, except those older than a cut.
  std::vector<git::ObjectId> heads{};
  /// Older commits were left out.
  bool cut = false;
};

}  // namespace clever::context::internal
