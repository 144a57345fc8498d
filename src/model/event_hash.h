#pragma once
#include <span>

#include "model/event.h"

namespace clever::model {

/// The link of a plan's hash chain: SHA-256 over, in this order and without separators,
///
///   hash of the previous event 32 bytes, zeros before the first event
///   plan                       16 bytes
///   sequence, version, epoch, time (microseconds)   8 bytes each, most significant first
///   kind, data                 each with its length in 8 bytes, then its bytes
///   bodies                     their number in 8 bytes, then 32 bytes each
///
/// `bodies` must be in ascending order and without duplicates. `hash` and `position` of the event
/// are not included. Two different journals cannot have the same encoding: every part has a fixed
/// length or states its own.
[[nodiscard]] base::Sha256Digest event_hash(const base::Sha256Digest& previous,
                                            const StoredEvent& event,
                                            std::span<const base::Sha256Digest> bodies);

}  // namespace clever::model
