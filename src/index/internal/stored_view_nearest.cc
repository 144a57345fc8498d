#include <algorithm>
#include <cstdint>
#include <queue>

#include "index/internal/stored_view.h"

namespace clever::index::internal {
namespace {

constexpr double kUnit = 127.0 * 127.0;

// Plain enough for the compiler to make vectors of.
std::int32_t product(const std::int8_t* left, const std::int8_t* right, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{left[i]} * std::int32_t{right[i]};
  return sum;
}

struct Found {
  std::int32_t product;
  FileNumber file;
  std::uint32_t chunk;
};

bool is_better(const Found& left, const Found& right) {
  if (left.product != right.product) return left.product > right.product;
  return left.file != right.file ? left.file < right.file : left.chunk < right.chunk;
}

/// Keeps the best so many, the worst of them on top.
class Best {
 public:
  explicit Best(std::size_t limit) : limit_(limit) {}
  void offer(const Found& found) {
    if (heap_.size() == limit_ && !is_better(found, heap_.top())) return;
    heap_.push(found);
    if (heap_.size() > limit_) heap_.pop();
  }
  [[nodiscard]] std::vector<Found> take() {
    std::vector<Found> all;
    for (; !heap_.empty(); heap_.pop()) all.push_back(heap_.top());
    std::ranges::reverse(all);
    return all;
  }

 private:
  std::size_t limit_;
  std::priority_queue<Found, std::vector<Found>, decltype(&is_better)> heap_{&is_better};
};

}  // namespace

std::vector<ChunkHit> StoredView::nearest(const Vector& vector, std::size_t limit) const {
  if (limit == 0 || vector.empty()) return {};
  Best best(limit);
  for (FileNumber file = 0; file < size(); ++file) {
    const Segment* const segment = segment_of(file);
    if (segment == nullptr || segment->dimensions() != vector.size() ||
        segment->embedder() != parts_.embedder) {
      continue;
    }
    const DocumentRecord record = record_of(file);
    const std::string_view bytes = segment->vector_bytes(record);
    const auto* const vectors = reinterpret_cast<const std::int8_t*>(bytes.data());
    for (std::uint32_t i = 0; (i + 1) * vector.size() <= bytes.size(); ++i) {
      best.offer({product(vectors + i * vector.size(), vector.data(), vector.size()), file, i});
    }
  }
  std::vector<ChunkHit> hits;
  for (const Found& found : best.take()) {
    const ChunkRecord chunk = segment_of(found.file)->chunk(record_of(found.file), found.chunk);
    hits.push_back({found.file,
                    {chunk.begin, chunk.end, chunk.first_line, chunk.last_line},
                    found.product / kUnit});
  }
  return hits;
}

}  // namespace clever::index::internal
