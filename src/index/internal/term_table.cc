#include "index/internal/term_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "index/internal/checksum.h"

namespace clever::index::internal {
namespace {

constexpr std::size_t kFirstTermSlots = std::size_t{1} << 12U;
constexpr std::size_t kLink = sizeof(std::uint32_t);
constexpr std::uint8_t kMostLevel = 12;

// Includes the link to the next slice at the end.
constexpr std::size_t slice_size(std::uint8_t level) { return std::size_t{16} << level; }

// The first bytes of a key, which distinguish most keys without a look at the rest.
std::uint64_t key_prefix(Field field, std::string_view text) {
  char bytes[8]{};
  bytes[0] = static_cast<char>(field);
  std::memcpy(bytes + 1, text.data(), std::min<std::size_t>(text.size(), 7));
  std::uint64_t prefix;
  std::memcpy(&prefix, bytes, sizeof prefix);
  return std::byteswap(prefix);
}

}  // namespace

std::uint32_t TermTable::Arena::allocate(std::size_t size) {
  size = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (used_ + size > kBlock) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlock));
    used_ = 0;
  }
  const std::size_t place = (blocks_.size() - 1) * kBlock + used_;
  used_ += size;
  return static_cast<std::uint32_t>(place);
}

TermTable::TermTable() : slots_(kFirstTermSlots) {
  // Reserves place 0, which means "none".
  terms_.allocate(kAlignment);
  slices_.allocate(kAlignment);
}

std::size_t TermTable::memory() const noexcept {
  return terms_.memory() + slices_.memory() + slots_.size() * sizeof slots_[0];
}

void TermTable::add(Field field, std::string_view text, DocumentNumber document,
                    std::uint32_t count) {
  if (text.size() > 255) return;
  Term& term = find(field, text);
  if (term.documents > 0 && term.last == document) {
    term.count += count;
    return;
  }
  if (term.documents > 0) write_waiting(term);
  ++term.documents;
  term.last = document;
  term.count = count;
}

TermTable::Term& TermTable::find(Field field, std::string_view text) {
  const auto hash =
      static_cast<std::uint32_t>(quick_hash(text, static_cast<unsigned char>(field)) >> 32U);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint64_t found = slots_[slot];
    if (found == 0) return insert(slot, hash, field, text);
    if (static_cast<std::uint32_t>(found >> 32U) != hash) continue;
    Term& term = at(static_cast<std::uint32_t>(found));
    if (term.field == field && text_of(term) == text) return term;
  }
}

TermTable::Term& TermTable::insert(std::size_t slot, std::uint32_t hash, Field field,
                                   std::string_view text) {
  const std::uint32_t byte_place = terms_.allocate(sizeof(Term) + text.size());
  const std::uint32_t place = byte_place / kAlignment;
  Term* const term = new (terms_.at(byte_place))
      Term{hash, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(text.size()), 0, field};
  std::memcpy(reinterpret_cast<char*>(term + 1), text.data(), text.size());
  slots_[slot] = (std::uint64_t{hash} << 32U) | place;
  if (++count_ * 3 > slots_.size() * 2) grow();
  return *term;
}

void TermTable::grow() {
  std::vector<std::uint64_t> bigger(slots_.size() * 2);
  const std::size_t mask = bigger.size() - 1;
  for (const std::uint64_t entry : slots_) {
    if (entry == 0) continue;
    std::size_t slot = (entry >> 32U) & mask;
    while (bigger[slot] != 0) slot = (slot + 1) & mask;
    bigger[slot] = entry;
  }
  slots_ = std::move(bigger);
}

void TermTable::write_waiting(Term& term) {
  char raw[2 * kLongestVarint];
  const char* const end = write_posting(raw, term.last - term.previous, term.count);
  append(term, raw, static_cast<std::size_t>(end - raw));
  term.previous = term.last;
}

void TermTable::append(Term& term, const char* bytes, std::size_t size) {
  while (size > 0) {
    if (term.tail == term.end) next_slice(term);
    const std::size_t count = std::min<std::size_t>(size, term.end - term.tail);
    std::memcpy(slices_.at(term.tail), bytes, count);
    term.tail += static_cast<std::uint32_t>(count);
    bytes += count;
    size -= count;
  }
}

void TermTable::next_slice(Term& term) {
  const std::uint32_t slice = slices_.allocate(slice_size(term.level));
  if (term.head == 0) {
    term.head = slice;
  } else {
    std::memcpy(slices_.at(term.end), &slice, kLink);
  }
  term.tail = slice;
  term.end = slice + static_cast<std::uint32_t>(slice_size(term.level) - kLink);
  term.level = std::min<std::uint8_t>(static_cast<std::uint8_t>(term.level + 1), kMostLevel);
}

void TermTable::collect(const Term& term, std::string& bytes) const {
  std::uint32_t slice = term.head;
  for (std::uint8_t level = 0; slice != 0; ++level) {
    const auto room = static_cast<std::uint32_t>(slice_size(std::min(level, kMostLevel)) - kLink);
    if (slice + room == term.end) {
      bytes.append(slices_.at(slice), term.tail - slice);
      break;
    }
    bytes.append(slices_.at(slice), room);
    std::memcpy(&slice, slices_.at(slice + room), kLink);
  }
  store_posting(bytes, term.last - term.previous, term.count);
}

std::vector<std::uint32_t> TermTable::sorted() const {
  struct Key {
    std::uint64_t prefix;
    std::uint32_t place;
  };
  std::vector<Key> keys;
  keys.reserve(count_);
  for (const std::uint64_t entry : slots_) {
    if (entry == 0) continue;
    const auto place = static_cast<std::uint32_t>(entry);
    const Term& term = at(place);
    keys.push_back({key_prefix(term.field, text_of(term)), place});
  }
  std::ranges::sort(keys, [this](const Key& left, const Key& right) {
    if (left.prefix != right.prefix) return left.prefix < right.prefix;
    return text_of(at(left.place)) < text_of(at(right.place));
  });
  std::vector<std::uint32_t> places;
  places.reserve(keys.size());
  for (const Key& key : keys) places.push_back(key.place);
  return places;
}

}  // namespace clever::index::internal
