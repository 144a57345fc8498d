#include "storage/postgres/internal/parameters.h"

#include <bit>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"

namespace clever::storage::postgres {
namespace {

template <class Integer>
void append_big_endian(std::string& bytes, Integer value) {
  using Bits = std::make_unsigned_t<Integer>;
  for (int shift = (static_cast<int>(sizeof(Integer)) - 1) * 8; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(static_cast<Bits>(value) >> static_cast<unsigned>(shift)));
  }
}

// One dimension, no nulls: dimensions, "has nulls", element type, length, first index, elements.
std::string encoded(const IntegerList& list) {
  std::string bytes;
  bytes.reserve(20 + list.values.size() * 12);
  append_big_endian<std::int32_t>(bytes, list.values.empty() ? 0 : 1);
  append_big_endian<std::int32_t>(bytes, 0);
  append_big_endian<std::int32_t>(bytes, static_cast<std::int32_t>(type::kInt8));
  if (list.values.empty()) return bytes;
  append_big_endian(bytes, static_cast<std::int32_t>(list.values.size()));
  append_big_endian<std::int32_t>(bytes, 1);
  for (const std::int64_t value : list.values) {
    append_big_endian<std::int32_t>(bytes, 8);
    append_big_endian(bytes, value);
  }
  return bytes;
}

std::string_view text_trouble(std::string_view text) {
  if (text.contains('\0')) return "has a NUL";
  return base::is_utf8(text) ? std::string_view{} : "is not UTF-8";
}

}  // namespace

void Parameters::assign(std::span<const Value> values) {
  types_.clear();
  values_.clear();
  lengths_.clear();
  numbers_.clear();
  lists_.clear();
  types_.reserve(values.size());
  values_.reserve(values.size());
  lengths_.reserve(values.size());
  formats_.assign(values.size(), 1);
  numbers_.reserve(values.size());
  lists_.reserve(values.size());
  for (const Value& value : values) add(value);
}

void Parameters::add(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    add_number(type::kInt8, *integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    add_number(type::kFloat8, std::bit_cast<std::int64_t>(*real));
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    add(type::kText, text->data(), text->size());
  } else if (const auto* blob = std::get_if<Blob>(&value)) {
    add(type::kBytes, blob->bytes.data(), blob->bytes.size());
  } else if (const auto* list = std::get_if<IntegerList>(&value)) {
    const std::string& bytes = lists_.emplace_back(encoded(*list));
    add(type::kInt8Array, bytes.data(), bytes.size());
  } else {
    add(type::kUnknown, nullptr, 0);
  }
}

void Parameters::add(Oid kind, const char* bytes, std::size_t size) {
  types_.push_back(kind);
  values_.push_back(bytes);
  lengths_.push_back(static_cast<int>(size));
}

void Parameters::add_number(Oid kind, std::int64_t bits) {
  auto& bytes = numbers_.emplace_back();
  auto rest = static_cast<std::uint64_t>(bits);
  for (std::size_t i = bytes.size(); i > 0; --i, rest >>= 8U) {
    bytes[i - 1] = static_cast<char>(rest & 0xFFU);
  }
  add(kind, bytes.data(), bytes.size());
}

base::Result<void> check_parameters(std::span<const Value> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* text = std::get_if<std::string>(&values[i]);
    if (text == nullptr) continue;
    if (const auto trouble = text_trouble(*text); !trouble.empty()) {
      return base::invalid_argument("the text of parameter $" + std::to_string(i + 1) + " " +
                                    std::string(trouble) +
                                    "; text is UTF-8 without NUL, anything else is a Blob");
    }
  }
  return {};
}

}  // namespace clever::storage::postgres
