#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/change.h"
#include "model/event.h"
#include "model/id.h"

namespace clever::model {

/// A changeset was opened. A value.
struct ChangesetStarted {
  static constexpr std::string_view kKind = "changeset.started";

  ChangesetId id{};
  /// The decision it carries out; may be none.
  DecisionId decision{};

  [[nodiscard]] Event to_event() const;
  /// `invalid_argument` names the wrong key.
  [[nodiscard]] static base::Result<ChangesetStarted> parse(std::string_view data);
  friend bool operator==(const ChangesetStarted&, const ChangesetStarted&) = default;
};

/// Files changed. The entries' numbers and times are not stored: an entry's number is its position
/// among all entries of its changeset in the journal, which leaves no gap, and its time is the
/// event's. A value.
struct ChangesRecorded {
  static constexpr std::string_view kKind = "changes.recorded";

  ChangesetId changeset{};
  std::vector<ChangeEntry> entries{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ChangesRecorded> parse(std::string_view data);
  friend bool operator==(const ChangesRecorded&, const ChangesRecorded&) = default;
};

/// A changeset will never change again: its net changes have this digest. A value.
struct ChangesetSealed {
  static constexpr std::string_view kKind = "changeset.sealed";

  ChangesetId changeset{};
  base::Sha256Digest digest{};
  /// The number of entries in the digest; the seal is refused if there are more by now.
  std::int64_t entries = 0;

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ChangesetSealed> parse(std::string_view data);
  friend bool operator==(const ChangesetSealed&, const ChangesetSealed&) = default;
};

}  // namespace clever::model
