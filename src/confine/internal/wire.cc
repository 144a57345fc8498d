#include "confine/internal/wire.h"

namespace clever::confine::internal {

void WireWriter::number(std::uint64_t value) {
  for (int byte = 0; byte < 8; ++byte) {
    bytes_.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * byte))));
  }
}

void WireWriter::text(std::string_view value) {
  number(value.size());
  bytes_.append(value);
}

std::string_view WireReader::bytes(std::size_t count) {
  if (failed_ || count > rest_.size()) {
    failed_ = true;
    return {};
  }
  const std::string_view result = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return result;
}

std::uint64_t WireReader::number() {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char byte : bytes(8)) {
    value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  return value;
}

std::string WireReader::text() { return std::string(bytes(number())); }

std::size_t WireReader::count() {
  const std::uint64_t value = number();
  if (value > rest_.size()) failed_ = true;
  return failed_ ? 0 : value;
}

base::Result<void> WireReader::finish() const {
  if (failed_) return base::invalid_argument("the message is cut off or invalid");
  if (!rest_.empty()) return base::invalid_argument("the message has bytes after its end");
  return {};
}

}  // namespace clever::confine::internal
