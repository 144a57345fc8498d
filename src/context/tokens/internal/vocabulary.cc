#include "context/tokens/internal/vocabulary.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace clever::context::internal {
namespace {

// The number of tokens and the unpacked bytes; both little-endian, 32 bits.
constexpr std::size_t kHeadSize = 8;
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

std::size_t number_at(std::string_view text, std::size_t at) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number |= std::size_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
  }
  return number;
}

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = bytes.size() * 0x9E3779B97F4A7C15ULL;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
    hash ^= hash >> 29U;
    bytes.remove_prefix(8);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  hash = (hash ^ word) * 0x94D049BB133111EBULL;
  return hash ^ (hash >> 32U);
}

std::uint32_t upper_half(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

base::Error broken_vocabulary() { return base::corruption("a table of tokens is damaged"); }

}  // namespace

base::Result<Vocabulary> Vocabulary::unpack(std::string_view packed) {
  if (packed.size() < kHeadSize) return broken_vocabulary();
  const std::size_t count = number_at(packed, 0);
  std::string lists(std::min(number_at(packed, 4), kMostBytes), '\0');
  uLongf size = lists.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(lists.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data() + kHeadSize),
                                packed.size() - kHeadSize);
  Vocabulary vocabulary;
  if (status != Z_OK || size != lists.size() || !vocabulary.take_tokens(lists, count)) {
    return broken_vocabulary();
  }
  vocabulary.make_table();
  return vocabulary;
}

// Each token is a length byte and its bytes.
bool Vocabulary::take_tokens(std::string_view lists, std::size_t count) {
  while (!lists.empty()) {
    const std::size_t size = static_cast<unsigned char>(lists.front());
    if (size == 0 || size >= lists.size()) return false;
    bytes_ += lists.substr(1, size);
    begins_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    longest_ = std::max(longest_, size);
    lists.remove_prefix(1 + size);
  }
  return this->size() == count;
}

void Vocabulary::make_table() {
  table_.assign(std::bit_ceil(2 * size() + 1), {});
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::uint64_t hash = hash_of(token(i));
    std::size_t place = hash & (table_.size() - 1);
    while (table_[place].token != 0) place = (place + 1) & (table_.size() - 1);
    table_[place] = {upper_half(hash), i + 1};
  }
}

std::uint32_t Vocabulary::rank(std::string_view bytes) const {
  if (bytes.size() > longest_) return kNone;
  const std::uint64_t hash = hash_of(bytes);
  std::size_t place = hash & (table_.size() - 1);
  for (; table_[place].token != 0; place = (place + 1) & (table_.size() - 1)) {
    const Entry& entry = table_[place];
    if (entry.hash == upper_half(hash) && token(entry.token - 1) == bytes) return entry.token - 1;
  }
  return kNone;
}

}  // namespace clever::context::internal
