#include "index/internal/dictionary.h"

#include <algorithm>

namespace clever::index::internal {
namespace {

constexpr std::size_t kKeysOfBlock = 16;

std::size_t shared_size(std::string_view left, std::string_view right) {
  const auto [end, ignored] = std::ranges::mismatch(left, right);
  return static_cast<std::size_t>(end - left.begin());
}

}  // namespace

void DictionaryWriter::add(std::string_view key, std::size_t postings_size) {
  std::size_t shared = 0;
  if (count_++ % kKeysOfBlock == 0) {
    store(starts_, static_cast<std::uint32_t>(blocks_.size()));
    store_varint(blocks_, postings_);
  } else {
    shared = shared_size(last_, key);
    store_varint(blocks_, shared);
  }
  store_varint(blocks_, key.size() - shared);
  blocks_.append(key.substr(shared));
  store_varint(blocks_, postings_size);
  last_.assign(key);
  postings_ += postings_size;
}

std::string_view Dictionary::block(std::size_t number) const noexcept {
  const auto begin = load<std::uint32_t>(starts_, number * sizeof(std::uint32_t));
  const std::size_t end = number + 1 < blocks()
                              ? load<std::uint32_t>(starts_, (number + 1) * sizeof(std::uint32_t))
                              : blocks_.size();
  if (begin > end || end > blocks_.size()) return {};
  return blocks_.substr(begin, end - begin);
}

std::string_view Dictionary::first_key(std::size_t number) const noexcept {
  ByteReader reader(block(number));
  reader.varint();
  return reader.text();
}

std::string_view Dictionary::postings_at(std::uint64_t offset, std::uint64_t size) const noexcept {
  if (offset > postings_.size() || size > postings_.size() - offset) return {};
  return postings_.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

std::string_view Dictionary::find(std::string_view key) const {
  std::size_t low = 0;
  std::size_t high = blocks();
  while (low < high) {  // the first block that begins beyond the key
    const std::size_t middle = low + (high - low) / 2;
    if (first_key(middle) <= key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return {};
  for (Cursor cursor(*this, low - 1); !cursor.at_end() && cursor.block_ == low - 1; cursor.next()) {
    const int order = cursor.key().compare(key);
    if (order == 0) return cursor.postings();
    if (order > 0) break;
  }
  return {};
}

void Dictionary::Cursor::next() {
  while (reader_.at_end()) {
    if (++block_ >= dictionary_.blocks()) {
      at_end_ = true;
      return;
    }
    reader_ = ByteReader(dictionary_.block(block_));
    offset_ = reader_.varint();
    first_ = true;
  }
  const std::size_t shared = first_ ? 0 : static_cast<std::size_t>(reader_.varint());
  const std::string_view rest = reader_.text();
  key_.resize(std::min(shared, key_.size()));
  key_.append(rest);
  first_ = false;
  const std::uint64_t size = reader_.varint();
  postings_ = dictionary_.postings_at(offset_, size);
  offset_ += size;
}

}  // namespace clever::index::internal
