#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_id.h"
#include "git/project.h"
#include "git/tree_path.h"

// Who changed what, and when, from the project's own history. Plain functions, safe from any
// thread; they change nothing of the user's. A plain folder has no history: `invalid_argument`.
// Texts are UTF-8 if the commits are.
namespace clever::git {

struct LogEntry {
  ObjectId id;
  std::string author;
  std::string email;
  std::string date;  // of the author: "2026-11-16T02:35:11+01:00"
  std::string subject;

  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};
struct Log {
  std::vector<LogEntry> entries;
  /// There are older ones.
  bool truncated = false;
};
inline constexpr std::size_t kLongestLog = 1000;

/// The commits that HEAD leads to, newest first, at most `max` and at most kLongestLog; with a
/// path, those that changed it. Empty before the first commit.
[[nodiscard]] base::Result<Log> log(const Project& project, const std::optional<TreePath>& path,
                                    std::size_t max, const base::StopToken& stop = {},
                                    base::Deadline deadline = base::Deadline::never());

struct BlameLine {
  std::uint64_t line = 0;  // 1, 2, 3, …
  /// Nothing if the line is not committed.
  std::optional<ObjectId> commit;
  std::string author;
  std::string date;
  std::string subject;
  std::string text;  // without its line end

  friend bool operator==(const BlameLine&, const BlameLine&) = default;
};
struct Blame {
  std::vector<BlameLine> lines;
  /// The range has further lines.
  bool truncated = false;
};
inline constexpr std::uint64_t kMostBlameLines = 5000;

struct LineRange {
  std::uint64_t first = 1;
  /// The last line, inclusive; 0: to the end.
  std::uint64_t last = 0;
};

/// The commit of each line. `content` is the file as it is being edited (as a tree holds it);
/// without it, HEAD's version. `not_found` if HEAD has no such file, `invalid_argument` for a range
/// outside it.
[[nodiscard]] base::Result<Blame> blame(const Project& project, const TreePath& path,
                                        std::optional<std::string_view> content,
                                        const LineRange& range, const base::StopToken& stop = {},
                                        base::Deadline deadline = base::Deadline::never());

}  // namespace clever::git
