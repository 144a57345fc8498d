#pragma once
#include <cstdint>

#include "base/sha256.h"

namespace clever::storage {

/// The end of a plan's journal. An append names the head it starts from, and returns the next one.
/// A value; the default is the head of a journal without events.
struct Head {
  /// The sequence of the last event.
  std::int64_t sequence = 0;
  /// The hash of the last event; zeros if there is none.
  base::Sha256Digest hash{};

  friend bool operator==(const Head&, const Head&) = default;
};

/// A head, and the epoch whose holder may append to it. A value.
struct JournalState {
  Head head;
  std::int64_t epoch = 0;

  friend bool operator==(const JournalState&, const JournalState&) = default;
};

}  // namespace clever::storage
