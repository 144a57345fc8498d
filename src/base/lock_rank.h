#pragma once
#include <cstdint>
#include <string_view>

namespace clever::base {

/// The order in which locks may nest: while holding one, a thread may only take locks of a strictly
/// greater rank, so no cycle of waiting threads can form. Most locks are leaves: only the base
/// library's own locks are taken under them.
///
/// Checked in test builds (CLEVER_TEST_HOOKS); breaking the order aborts and names both ranks.
enum class LockRank : std::uint16_t {
  kService = 100,  // a long-lived object that calls into others while locked; rare, justify it
  kComponent = 200,
  kLeaf = 300,  // the default of Guarded and Monitor
  // The base library's own, usable under a leaf.
  kCircuit = 350,
  kStrand = 400,
  kPool = 500,
  kTimer = 600,
  kStop = 700,
  kClock = 800,
  kIds = 850,  // ids and redaction: short, nothing but Random below them
  kRandom = 900,
};

namespace lock_rank {

#if CLEVER_TEST_HOOKS
/// Records that this thread takes a lock; aborts if the order forbids it.
void push(LockRank rank) noexcept;
/// Like push() for a lock obtained without waiting, which cannot be part of a deadlock.
void push_unordered(LockRank rank) noexcept;
void pop(LockRank rank) noexcept;
/// Aborts if this thread holds any lock: for operations that must not happen under one (I/O,
/// logging, waiting, callbacks). `doing` names them in the message.
void require_none(std::string_view doing) noexcept;
/// Like require_none(), but tolerates the one lock that a wait is about to release.
void require_at_most_one(std::string_view doing) noexcept;
#else
inline void push(LockRank) noexcept {}
inline void push_unordered(LockRank) noexcept {}
inline void pop(LockRank) noexcept {}
inline void require_none(std::string_view) noexcept {}
inline void require_at_most_one(std::string_view) noexcept {}
#endif

}  // namespace lock_rank
}  // namespace clever::base
