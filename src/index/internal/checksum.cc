#include "index/internal/checksum.h"

#include <algorithm>
#include <bit>

namespace clever::index::internal {

void Checksum::block(const char* at) noexcept {
  // Each step is a bijection of lane and word, so no change of either is lost.
  for (std::size_t i = 0; i < 4; ++i) {
    lanes_[i] = std::rotl(lanes_[i] ^ mixing::word_at(at + 8 * i), 29) * mixing::kFirst;
  }
}

void Checksum::update(std::string_view bytes) noexcept {
  size_ += bytes.size();
  if (rest_size_ > 0) {
    const std::size_t count = std::min(bytes.size(), sizeof rest_ - rest_size_);
    std::copy_n(bytes.data(), count, rest_ + rest_size_);
    rest_size_ += count;
    bytes.remove_prefix(count);
    if (rest_size_ < sizeof rest_) return;
    block(rest_);
    rest_size_ = 0;
  }
  for (; bytes.size() >= sizeof rest_; bytes.remove_prefix(sizeof rest_)) block(bytes.data());
  std::copy_n(bytes.data(), bytes.size(), rest_);
  rest_size_ = bytes.size();
}

std::uint64_t Checksum::value() const noexcept {
  Checksum last = *this;
  std::fill(last.rest_ + last.rest_size_, last.rest_ + sizeof rest_, '\0');
  last.block(last.rest_);
  std::uint64_t sum = size_;
  for (const std::uint64_t lane : last.lanes_) sum = mixing::stir(sum ^ lane) + mixing::kSecond;
  return mixing::stir(sum);
}

}  // namespace clever::index::internal
