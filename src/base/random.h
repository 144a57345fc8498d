#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

#include "base/guarded.h"

namespace clever::base {

/// The source of random numbers. Injected everywhere (ids, jitter, tokens), so that tests and the
/// simulator control it.
///
/// Thread-safe; must outlive all its users. Never fails.
class Random {
 public:
  virtual ~Random() = default;

  /// 64 uniform bits.
  [[nodiscard]] virtual std::uint64_t next() = 0;

  /// Uniform bytes: successive next()s, least significant byte first.
  virtual void fill(std::span<std::byte> out);

  /// Uniform in [0, bound), without bias. A bound of zero is a bug and aborts.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);

  /// Uniform in [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform();

  /// Shuffles the items uniformly.
  template <std::ranges::random_access_range R>
  void shuffle(R& items) {
    for (std::size_t i = std::ranges::size(items); i > 1; --i) {
      std::ranges::swap(items[i - 1], items[below(i)]);
    }
  }
};

/// The kernel's generator, getrandom(2): unpredictable, for ids, tokens and jitter. Keeps nothing
/// in memory, so a forked child never repeats its parent's numbers; each call is a system call.
class SystemRandom final : public Random {
 public:
  [[nodiscard]] std::uint64_t next() override;
  void fill(std::span<std::byte> out) override;
};

/// xoshiro256** (Blackman and Vigna, 2018), seeded by SplitMix64: the same seed gives the same
/// numbers on every platform, forever. Predictable: never for secrets.
class SeededRandom final : public Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit SeededRandom(std::uint64_t seed);
  /// Starts in the middle of a sequence. A state of four zeros is a bug and aborts, because the
  /// generator would return only zeros.
  explicit SeededRandom(const State& state);

  [[nodiscard]] std::uint64_t next() override;

 private:
  Guarded<State, LockRank::kRandom> state_;
};

}  // namespace clever::base
