#include "base/ulid.h"

#include <bit>
#include <cstring>

#include "base/plant.h"

namespace clever::base {
namespace {

constexpr std::string_view kUlidAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

// The value as two numbers, for shifting.
struct Halves {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

std::uint64_t read(const Ulid::Bytes& bytes, std::size_t begin, std::size_t end) {
  std::uint64_t value = 0;
  for (std::size_t i = begin; i < end; ++i) value = value << 8U | bytes[i];
  return value;
}

void write(Ulid::Bytes& bytes, std::size_t begin, std::size_t end, std::uint64_t value) {
  for (std::size_t i = end; i-- > begin; value >>= 8U) bytes[i] = static_cast<std::uint8_t>(value);
}

// The value of a character, or npos.
std::size_t ulid_digit(char c) {
  const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return kUlidAlphabet.find(upper);
}

std::string describe(char c) {
  if (c >= ' ' && c <= '~') return std::string("'") + c + "'";
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + kHex[byte >> 4U] + kHex[byte & 15U];
}

std::uint64_t unix_milliseconds(WallTime time) {
  const auto count = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
  // Times before 1970 are not representable. WallTime ends in 2262, long before 48 bits (10889).
  return count < 0 ? 0 : static_cast<std::uint64_t>(count);
}

}  // namespace

Result<Ulid> Ulid::parse(std::string_view text) {
  if (text.size() != kTextSize) {
    return invalid_argument("an id has 26 characters, this one has " + std::to_string(text.size()));
  }
  Halves halves;
  for (std::size_t i = 0; i < kTextSize; ++i) {
    const std::size_t value = ulid_digit(text[i]);
    if (value == std::string_view::npos) {
      return invalid_argument("an id has digits and letters without I, L, O and U; character " +
                              std::to_string(i + 1) + " is " + describe(text[i]));
    }
    if (i == 0 && value > 7) {
      return invalid_argument("an id is at most 7ZZZZZZZZZZZZZZZZZZZZZZZZZ; this one begins with " +
                              describe(text[0]));
    }
    halves.high = halves.high << 5U | halves.low >> 59U;
    halves.low = halves.low << 5U | value;
  }
  Bytes bytes{};
  write(bytes, 0, 8, halves.high);
  write(bytes, 8, 16, halves.low);
  return Ulid(bytes);
}

std::string Ulid::to_string() const {
  Halves halves{read(bytes_, 0, 8), read(bytes_, 8, 16)};
  std::string text(kTextSize, '0');
  for (std::size_t i = kTextSize; i-- > 0;) {
    text[i] = kUlidAlphabet[halves.low & 31U];
    halves.low = halves.low >> 5U | halves.high << 59U;
    halves.high >>= 5U;
  }
  return text;
}

std::chrono::sys_time<std::chrono::milliseconds> Ulid::timestamp() const {
  return std::chrono::sys_time<std::chrono::milliseconds>(
      std::chrono::milliseconds(read(bytes_, 0, 6)));
}

void UlidGenerator::begin(Last& last, std::uint64_t milliseconds) {
  last = {milliseconds, static_cast<std::uint16_t>(random_.next() >> 48U), random_.next(), true};
}

void UlidGenerator::count_up(Last& last) {
  if (++last.random_low != 0 || ++last.random_high != 0) return;
  begin(last, last.milliseconds + 1);
}

Ulid UlidGenerator::next() {
  // Read before the lock: a late thread finds a newer id and counts on from there.
  const std::uint64_t now = unix_milliseconds(clock_.wall_now());
  const auto id_of = [](const Last& last) {
    Ulid::Bytes bytes{};
    write(bytes, 0, 6, last.milliseconds);
    write(bytes, 6, 8, last.random_high);
    write(bytes, 8, 16, last.random_low);
    return Ulid(bytes);
  };
  if (planted("ulid.reads_then_writes")) {
    Last last = last_.with([](const Last& seen) { return seen; });
    if (last.used) count_up(last);
    if (!last.used) begin(last, now);
    last_.with([&](Last& written) { written = last; });
    return id_of(last);
  }
  return last_.with([this, now, &id_of](Last& last) {
    if (!last.used || now > last.milliseconds || planted("ulid.forgets_the_last")) {
      begin(last, now);
    } else {
      count_up(last);
    }
    return id_of(last);
  });
}

}  // namespace clever::base

std::size_t std::hash<clever::base::Ulid>::operator()(
    const clever::base::Ulid& ulid) const noexcept {
  // The time alone would collide and the low part alone counts up, so mix both.
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), ulid.bytes().data(), sizeof halves);
  return halves[0] * 0x9e3779b97f4a7c15U ^ std::rotl(halves[1] * 0xbf58476d1ce4e5b9U, 32);
}
