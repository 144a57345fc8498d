#include "base/random.h"

#include <sys/random.h>

#include <bit>
#include <cerrno>

#include "base/check.h"

namespace clever::base {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t mixed = (state += 0x9e3779b97f4a7c15U);
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

SeededRandom::State expand(std::uint64_t seed) {
  SeededRandom::State state{};
  for (auto& word : state) word = split_mix(seed);
  return state;
}

std::uint64_t step(SeededRandom::State& s) {
  const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
  const std::uint64_t shifted = s[1] << 17U;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = std::rotl(s[3], 45);
  return result;
}

}  // namespace

void Random::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    std::uint64_t bits = next();
    const std::size_t count = out.size() < sizeof bits ? out.size() : sizeof bits;
    for (std::byte& byte : out.first(count)) {
      byte = static_cast<std::byte>(bits & 0xffU);
      bits >>= 8U;
    }
    out = out.subspan(count);
  }
}

std::uint64_t Random::below(std::uint64_t bound) {
  CLEVER_CHECK(bound > 0, "below(0): there is no such number");
  // The lowest 2^64 mod bound values would favour small results: draw again.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < surplus) drawn = next();
  return drawn % bound;
}

double Random::uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

std::uint64_t SystemRandom::next() {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  fill(bytes);
  return std::bit_cast<std::uint64_t>(bytes);
}

void SystemRandom::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t count = ::getrandom(out.data(), out.size(), 0);
    // Without randomness ids would collide and tokens could be guessed, so the process must end.
    CLEVER_CHECK(count >= 0 || errno == EINTR, "getrandom(2) failed");
    if (count > 0) out = out.subspan(static_cast<std::size_t>(count));
  }
}

SeededRandom::SeededRandom(std::uint64_t seed) : SeededRandom(expand(seed)) {}

SeededRandom::SeededRandom(const State& state) : state_(std::in_place, state) {
  CLEVER_CHECK(state != State{}, "xoshiro256** needs a state other than zero");
}

std::uint64_t SeededRandom::next() { return state_.with(step); }

}  // namespace clever::base
