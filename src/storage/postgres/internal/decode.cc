#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "storage/postgres/internal/parameters.h"

namespace clever::storage::postgres {
namespace {

template <class Integer>
Integer big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(0, sizeof(Integer))) {
    value = value << 8U | static_cast<unsigned char>(byte);
  }
  return static_cast<Integer>(value);
}

// The server's numeric: groups of four decimal digits, the first one times 10000^weight.
struct Numeric {
  static constexpr std::int64_t kBase = 10'000;
  static constexpr std::uint16_t kNegative = 0x4000;
  static constexpr std::uint16_t kNotFinite = 0x8000;  // set in "not a number" and the infinities

  explicit Numeric(std::string_view bytes)
      : count(big_endian<std::int16_t>(bytes)),
        weight(big_endian<std::int16_t>(bytes.substr(2))),
        sign(big_endian<std::uint16_t>(bytes.substr(4))),
        digits(bytes.substr(8)) {}

  [[nodiscard]] std::int64_t digit(int at) const {
    return at < count ? big_endian<std::int16_t>(digits.substr(static_cast<std::size_t>(at) * 2))
                      : 0;
  }

  // Returns the value if it is whole and fits.
  [[nodiscard]] std::optional<std::int64_t> integer() const {
    if ((sign & kNotFinite) != 0 || count > weight + 1) return std::nullopt;
    std::int64_t value = 0;
    for (int i = 0; i <= weight; ++i) {
      const std::int64_t next = sign == kNegative ? -digit(i) : digit(i);
      if (__builtin_mul_overflow(value, kBase, &value) ||
          __builtin_add_overflow(value, next, &value)) {
        return std::nullopt;
      }
    }
    return value;
  }

  [[nodiscard]] double real() const {
    if ((sign & kNotFinite) != 0) {
      constexpr std::uint16_t kPlusInfinity = 0xd000;
      constexpr std::uint16_t kMinusInfinity = 0xf000;
      if (sign == kPlusInfinity) return std::numeric_limits<double>::infinity();
      if (sign == kMinusInfinity) return -std::numeric_limits<double>::infinity();
      return std::numeric_limits<double>::quiet_NaN();
    }
    double value = 0;
    for (int i = 0; i < count; ++i) {
      value += static_cast<double>(digit(i)) * std::pow(10.0, 4.0 * (weight - i));
    }
    return sign == kNegative ? -value : value;
  }

  std::int16_t count;
  std::int16_t weight;
  std::uint16_t sign;
  std::string_view digits;
};

Value decode_numeric(std::string_view bytes) {
  const Numeric number(bytes);
  if (const auto integer = number.integer()) return *integer;
  return number.real();
}

}  // namespace

base::Result<Value> decode(Oid kind, std::string_view bytes) {
  switch (kind) {
    case type::kInt8:
      return Value(big_endian<std::int64_t>(bytes));
    case type::kBytes:
      return Value(Blob{std::string(bytes)});
    case type::kText:
    case type::kVarchar:
    case type::kName:
    case type::kPaddedText:
    case type::kLiteral:
    case type::kChar:
      return Value(std::string(bytes));
    case type::kInt4:
      return Value(std::int64_t{big_endian<std::int32_t>(bytes)});
    case type::kInt2:
      return Value(std::int64_t{big_endian<std::int16_t>(bytes)});
    case type::kOid:
      return Value(std::int64_t{big_endian<std::uint32_t>(bytes)});
    case type::kBool:
      return Value(std::int64_t{big_endian<std::uint8_t>(bytes)});
    case type::kFloat8:
      return Value(std::bit_cast<double>(big_endian<std::uint64_t>(bytes)));
    case type::kFloat4:
      return Value(static_cast<double>(std::bit_cast<float>(big_endian<std::uint32_t>(bytes))));
    case type::kNumeric:
      return Value(decode_numeric(bytes));
    case type::kVoid:
      return Value(Null{});
    default:
      return base::internal_error("a column has a type that is not known here (number " +
                                  std::to_string(kind) + "); the statement must cast it");
  }
}

}  // namespace clever::storage::postgres
