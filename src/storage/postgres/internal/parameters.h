#pragma once
#include <libpq-fe.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "storage/value.h"

namespace clever::storage::postgres {

/// PostgreSQL's type numbers, which are the same in every database.
namespace type {
inline constexpr Oid kUnknown = 0;
inline constexpr Oid kBool = 16;
inline constexpr Oid kBytes = 17;
inline constexpr Oid kChar = 18;
inline constexpr Oid kName = 19;
inline constexpr Oid kInt8 = 20;
inline constexpr Oid kInt2 = 21;
inline constexpr Oid kInt4 = 23;
inline constexpr Oid kText = 25;
inline constexpr Oid kOid = 26;
inline constexpr Oid kFloat4 = 700;
inline constexpr Oid kFloat8 = 701;
inline constexpr Oid kLiteral = 705;
inline constexpr Oid kInt8Array = 1016;
inline constexpr Oid kPaddedText = 1042;
inline constexpr Oid kVarchar = 1043;
inline constexpr Oid kNumeric = 1700;
inline constexpr Oid kVoid = 2278;
}  // namespace type

/// The parameters of one statement for libpq: all in binary form and with their own type, so that
/// the server has nothing to guess (except the type of a null). Refers to the values, which must
/// outlive it.
///
/// assign() replaces the parameters and reuses their memory.
class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::span<const Value> values) { assign(values); }

  void assign(std::span<const Value> values);

  [[nodiscard]] int count() const { return static_cast<int>(types_.size()); }
  [[nodiscard]] const std::vector<Oid>& types() const { return types_; }
  [[nodiscard]] const char* const* values() const { return values_.data(); }
  [[nodiscard]] const int* lengths() const { return lengths_.data(); }
  [[nodiscard]] const int* formats() const { return formats_.data(); }

 private:
  void add(const Value& value);
  void add(Oid kind, const char* bytes, std::size_t size);
  void add_number(Oid kind, std::int64_t bits);

  std::vector<Oid> types_;
  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
  // Encoded bytes; reserved in advance, since values_ points into them.
  std::vector<std::array<char, sizeof(std::int64_t)>> numbers_;
  std::vector<std::string> lists_;
};

/// `invalid_argument` for text that is not UTF-8 or has a NUL, naming the parameter.
[[nodiscard]] base::Result<void> check_parameters(std::span<const Value> values);

/// Decodes a column of the given type from binary form. `internal` for a type without a Value: the
/// statement should cast it.
[[nodiscard]] base::Result<Value> decode(Oid kind, std::string_view bytes);

}  // namespace clever::storage::postgres
