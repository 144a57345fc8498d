#include "apply/internal/journal_bytes.h"

#include <algorithm>

namespace clever::apply::internal {

ByteWriter& ByteWriter::number(std::uint64_t value, std::size_t bytes) {
  for (std::size_t index = 0; index < bytes; ++index) {
    bytes_.push_back(static_cast<char>(value >> (8 * index)));
  }
  return *this;
}

ByteWriter& ByteWriter::text(std::string_view value) {
  number(value.size(), 4);
  bytes_ += value;
  return *this;
}

ByteWriter& ByteWriter::digest(const base::Sha256Digest& value) {
  for (const std::uint8_t byte : value.bytes()) bytes_.push_back(static_cast<char>(byte));
  return *this;
}

std::string_view ByteReader::take(std::uint64_t bytes) {
  if (!ok_ || bytes > rest_.size()) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

std::uint64_t ByteReader::number(std::size_t bytes) {
  std::uint64_t value = 0;
  const std::string_view taken = take(bytes);
  for (std::size_t index = 0; index < taken.size(); ++index) {
    value |= std::uint64_t{static_cast<unsigned char>(taken[index])} << (8 * index);
  }
  return value;
}

std::string ByteReader::text() { return std::string(take(number(4))); }

base::Sha256Digest ByteReader::digest() {
  base::Sha256Digest::Bytes bytes{};
  const std::string_view taken = take(bytes.size());
  std::ranges::transform(taken, bytes.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
  return base::Sha256Digest(bytes);
}

}  // namespace clever::apply::internal
