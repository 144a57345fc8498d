#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/id.h"
#include "model/time.h"

namespace clever::model {

using ChangesetId = Id<struct ChangesetTag>;

/// A file's state on one side of a change: git's mode (octal) and the SHA-256 of its bytes as git
/// stores them (for a link: its target). A value.
struct FileState {
  std::uint32_t mode = 0100644;
  base::Sha256Digest hash{};
  /// The git object id of the bytes, 40 hexadecimal digits.
  std::string object{};

  friend bool operator==(const FileState&, const FileState&) = default;
};

enum class ChangeOperation : std::uint8_t { kCreate, kModify, kDelete, kMove, kMode, kRestored };
[[nodiscard]] std::string_view to_string(ChangeOperation operation) noexcept;
[[nodiscard]] base::Result<ChangeOperation> change_operation_from_string(std::string_view name);

/// One change of one path, in the order it happened. A value. Paths are bytes, relative to the
/// project's root.
struct ChangeEntry {
  std::string path;
  /// For a move: the old path.
  std::optional<std::string> from{};
  ChangeOperation operation = ChangeOperation::kModify;
  std::optional<FileState> before{};
  std::optional<FileState> after{};
  /// The tool that was running, and the decision it served; may be empty.
  std::string tool{};
  DecisionId decision{};
  /// 1, 2, 3, … within the changeset; the store assigns it.
  std::int64_t sequence = 0;
  Timestamp time{};

  friend bool operator==(const ChangeEntry&, const ChangeEntry&) = default;
};

/// The net effect of all entries of a path: its state before the first and after the last. A value.
struct NetChange {
  std::string path;
  std::optional<FileState> before{};
  std::optional<FileState> after{};

  friend bool operator==(const NetChange&, const NetChange&) = default;
};

/// Sorted by path, one per path; without paths that end as they began. A move is a deletion and a
/// creation.
[[nodiscard]] std::vector<NetChange> net_changes(std::span<const ChangeEntry> entries);

/// The identity of the changes to land: the SHA-256 of the sorted net changes (path, old mode and
/// hash, new mode and hash), independent of the base. `changes` sorted, as from net_changes().
[[nodiscard]] base::Sha256Digest digest_of(std::span<const NetChange> changes);

}  // namespace clever::model
