#pragma once
#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/random.h"
#include "base/result.h"

namespace clever::base {

/// A 128-bit identifier that sorts by its time of creation: 48 bits of Unix milliseconds, 80 random
/// bits. Written as 26 characters of Crockford's base 32, whose text order is the order of the
/// values. The default value, all zeros, stands for no id.
///
/// A value.
class Ulid {
 public:
  using Bytes = std::array<std::uint8_t, 16>;
  static constexpr std::size_t kTextSize = 26;

  constexpr Ulid() = default;
  /// Most significant byte first.
  constexpr explicit Ulid(const Bytes& bytes) : bytes_(bytes) {}

  /// Parses 26 characters in either case. Refuses I, L, O and U instead of guessing: an id has one
  /// spelling apart from case, so that ids may be compared and looked up as text.
  [[nodiscard]] static Result<Ulid> parse(std::string_view text);

  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] constexpr const Bytes& bytes() const { return bytes_; }
  /// When it was made, to the millisecond; later than that if the generator had to run ahead.
  [[nodiscard]] std::chrono::sys_time<std::chrono::milliseconds> timestamp() const;

  friend constexpr auto operator<=>(const Ulid&, const Ulid&) = default;

 private:
  Bytes bytes_{};
};

/// Makes ids that are strictly increasing within the process, across all threads, even if the wall
/// clock stands still or goes back. Within a millisecond the random part counts up; if it
/// overflows, the time part increases by one.
///
/// Thread-safe. The clock and the source of randomness must outlive it.
class UlidGenerator {
 public:
  UlidGenerator(const Clock& clock, Random& random) : clock_(clock), random_(random) {}

  [[nodiscard]] Ulid next();

 private:
  // The last id handed out, as numbers.
  struct Last {
    std::uint64_t milliseconds = 0;
    std::uint16_t random_high = 0;
    std::uint64_t random_low = 0;
    bool used = false;
  };
  void begin(Last& last, std::uint64_t milliseconds);
  void count_up(Last& last);

  // Constant after construction.
  const Clock& clock_;
  Random& random_;
  // Guarded.
  Guarded<Last, LockRank::kIds> last_;
};

}  // namespace clever::base

template <>
struct std::hash<clever::base::Ulid> {
  [[nodiscard]] std::size_t operator()(const clever::base::Ulid& ulid) const noexcept;
};
