#include "base/lock_rank.h"

#if CLEVER_TEST_HOOKS

#include <array>
#include <string>

#include "base/check.h"

namespace clever::base::lock_rank {
namespace {

// More than our code ever nests; a fixed array keeps push() free of allocation.
constexpr std::size_t kMaxHeld = 16;

struct Held {
  std::array<LockRank, kMaxHeld> ranks{};
  std::size_t count = 0;
};

thread_local Held held;

std::string number(LockRank rank) { return std::to_string(static_cast<unsigned>(rank)); }

}  // namespace

void push_unordered(LockRank rank) noexcept {
  CLEVER_CHECK(held.count < kMaxHeld, "a thread holds more than 16 locks at once");
  held.ranks[held.count++] = rank;
}

void push(LockRank rank) noexcept {
  for (std::size_t i = 0; i < held.count; ++i) {
    if (rank <= held.ranks[i]) {
      check_failed("rank > every rank held",
                   "lock order: taking rank " + number(rank) + " while holding rank " +
                       number(held.ranks[i]) +
                       "; take the lower rank first, or leave the first lock before the second",
                   __FILE__, __LINE__);
    }
  }
  push_unordered(rank);
}

void pop(LockRank rank) noexcept {
  for (std::size_t i = held.count; i-- > 0;) {
    if (held.ranks[i] != rank) continue;
    for (std::size_t j = i + 1; j < held.count; ++j) held.ranks[j - 1] = held.ranks[j];
    --held.count;
    return;
  }
  check_failed("rank is held", "released a lock this thread does not hold", __FILE__, __LINE__);
}

void require_none(std::string_view doing) noexcept {
  CLEVER_CHECK(held.count == 0,
               "under a lock of rank " + number(held.ranks[0]) + ": " + std::string(doing));
}

void require_at_most_one(std::string_view doing) noexcept {
  CLEVER_CHECK(held.count <= 1,
               "under a lock of rank " + number(held.ranks[0]) + ": " + std::string(doing));
}

}  // namespace clever::base::lock_rank

#endif
