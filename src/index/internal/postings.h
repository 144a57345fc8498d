#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "index/internal/bytes.h"

// The documents that hold a term, with counts: ascending numbers as differences, seven bits to a
// byte; the lowest bit means a count of one.
namespace clever::index::internal {

using DocumentNumber = std::uint32_t;

/// Writes at most 2 * kLongestVarint bytes; returns the end.
inline char* write_posting(char* at, std::uint32_t difference, std::uint32_t count) noexcept {
  at = write_varint(at, (std::uint64_t{difference} << 1U) | (count == 1 ? 1U : 0U));
  return count == 1 ? at : write_varint(at, count);
}

inline void store_posting(std::string& bytes, std::uint32_t difference, std::uint32_t count) {
  char raw[2 * kLongestVarint];
  bytes.append(raw, static_cast<std::size_t>(write_posting(raw, difference, count) - raw));
}

/// Calls each(document, count) until it returns false, or at the first invalid entry. Returns
/// whether it never returned false.
template <class F>
bool while_each_posting(std::string_view bytes, DocumentNumber documents, F&& each) {
  ByteReader reader(bytes);
  std::uint64_t document = 0;
  while (!reader.at_end()) {
    const std::uint64_t head = reader.varint();
    const std::uint32_t count = (head & 1U) != 0 ? 1 : reader.number();
    document += head >> 1U;
    if (reader.failed() || document >= documents) return true;
    if (!each(static_cast<DocumentNumber>(document), count)) return false;
  }
  return true;
}

/// Calls each(document, count). Ends at the first invalid entry.
template <class F>
void for_each_posting(std::string_view bytes, DocumentNumber documents, F&& each) {
  (void)while_each_posting(bytes, documents, [&](DocumentNumber document, std::uint32_t count) {
    each(document, count);
    return true;
  });
}

}  // namespace clever::index::internal
