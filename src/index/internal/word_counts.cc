#include "index/internal/word_counts.h"

#include <algorithm>

#include "index/internal/feature_hash.h"

namespace clever::index::internal {
namespace {

constexpr std::size_t kFirstPlaces = 1024;

}  // namespace

void WordCounts::clear() {
  places_.assign(kFirstPlaces, 0);
  entries_.clear();
  letters_.clear();
}

std::size_t WordCounts::place_of(std::uint64_t hash, std::string_view word) const {
  std::size_t place = hash & (places_.size() - 1);
  while (places_[place] != 0) {
    const Entry& entry = entries_[places_[place] - 1];
    if (entry.hash == hash && std::string_view(letters_).substr(entry.begin, entry.size) == word) {
      break;
    }
    place = (place + 1) & (places_.size() - 1);
  }
  return place;
}

void WordCounts::add(std::string_view word) {
  if ((entries_.size() + 1) * 2 > places_.size()) grow();
  const std::uint64_t hash = feature_hash(word);
  const std::size_t place = place_of(hash, word);
  if (places_[place] == 0) {
    entries_.push_back({hash, letters_.size(), static_cast<std::uint32_t>(word.size()), 0});
    letters_ += word;
    places_[place] = static_cast<std::uint32_t>(entries_.size());
  }
  ++entries_[places_[place] - 1].count;
}

void WordCounts::grow() {
  places_.assign(std::max(kFirstPlaces, places_.size() * 2), 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::size_t place = entries_[i].hash & (places_.size() - 1);
    while (places_[place] != 0) place = (place + 1) & (places_.size() - 1);
    places_[place] = i + 1;
  }
}

}  // namespace clever::index::internal
