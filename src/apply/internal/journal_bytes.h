#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.h"

namespace clever::apply::internal {

/// Numbers with the least significant byte first, texts with their length before them.
class ByteWriter {
 public:
  ByteWriter& number(std::uint64_t value, std::size_t bytes);
  ByteWriter& text(std::string_view value);
  ByteWriter& digest(const base::Sha256Digest& value);
  template <class Items, class Write>
  ByteWriter& list(const Items& items, Write write) {
    number(items.size(), 4);
    for (const auto& item : items) write(item);
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a ByteWriter wrote. After the first mismatch ok() is false and everything is empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number(std::size_t bytes);
  [[nodiscard]] std::string text();
  [[nodiscard]] base::Sha256Digest digest();
  template <class Read>
  auto list(Read read) {
    std::vector<decltype(read())> items;
    for (std::uint64_t left = number(4); left > 0 && ok_; --left) items.push_back(read());
    return items;
  }

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  /// The next bytes, unparsed.
  [[nodiscard]] std::string_view take(std::uint64_t bytes);

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace clever::apply::internal
