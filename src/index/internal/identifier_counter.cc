#include "index/internal/identifier_counter.h"

#include <algorithm>

#include "index/internal/checksum.h"
#include "index/internal/word_scan.h"

namespace clever::index::internal {
namespace {
constexpr std::size_t kFirstCounterSlots = 4096;
}

IdentifierCounter::IdentifierCounter() : slots_(kFirstCounterSlots) {}

const std::vector<IdentifierCounter::Counted>& IdentifierCounter::count(std::string_view text) {
  clear();
  for_each_identifier(text, [this](std::string_view identifier) {
    ++total_;
    if (identifier.size() >= 2 && identifier.size() <= kLongestIdentifier) add(identifier);
  });
  return counted_;
}

void IdentifierCounter::add(std::string_view identifier) {
  const auto hash = static_cast<std::uint32_t>(quick_hash(identifier));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t entry = slots_[slot];
    if (entry == 0) {
      counted_.push_back({identifier, 1, hash});
      slots_[slot] = static_cast<std::uint32_t>(counted_.size());
      if (counted_.size() * 2 > slots_.size()) grow();
      return;
    }
    Counted& found = counted_[entry - 1];
    if (found.hash == hash && found.identifier == identifier) {
      ++found.count;
      return;
    }
  }
}

void IdentifierCounter::clear() {
  if (counted_.size() * 8 > slots_.size()) {
    // A text with many identifiers must not leave a large table for the small texts after it.
    if (slots_.size() > kFirstCounterSlots * 16)
      slots_ = std::vector<std::uint32_t>(kFirstCounterSlots);
    std::ranges::fill(slots_, 0U);
  } else {
    const std::size_t mask = slots_.size() - 1;
    for (const Counted& one : counted_) {
      for (std::size_t slot = one.hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
        slots_[slot] = 0;
      }
    }
  }
  counted_.clear();
  total_ = 0;
}

void IdentifierCounter::grow() {
  slots_.assign(slots_.size() * 2, 0U);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < counted_.size(); ++i) {
    std::size_t slot = counted_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace clever::index::internal
