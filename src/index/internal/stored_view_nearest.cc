#include <algorithm>
#include <cstdint>
#include <queue>

#include "index/internal/stored_view.h"

namespace clever::index::internal {
namespace {

constexpr double kUnit = 127.0 * 127.0;

// Simple enough for the compiler to vectorise.
[[gnu::always_inline]] inline std::int32_t sum_of_products(const std::int8_t* left,
                                                           const std::int8_t* right,
                                                           std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{left[i]} * std::int32_t{right[i]};
  return sum;
}

using Product = std::int32_t (*)(const std::int8_t* left, const std::int8_t* right,
                                 std::size_t size);

std::int32_t product(const std::int8_t* left, const std::int8_t* right, std::size_t size) {
  return sum_of_products(left, right, size);
}

#if defined(__x86_64__)
// Uses registers twice as wide: every search compares all vectors.
[[gnu::target("avx2")]] std::int32_t wide_product(const std::int8_t* left, const std::int8_t* right,
                                                  std::size_t size) {
  return sum_of_products(left, right, size);
}
Product fastest_product() { return __builtin_cpu_supports("avx2") ? wide_product : product; }
#else
Product fastest_product() { return product; }
#endif

struct Found {
  std::int32_t product;
  FileNumber file;
  std::uint32_t chunk;
};

bool is_better(const Found& left, const Found& right) {
  if (left.product != right.product) return left.product > right.product;
  return left.file != right.file ? left.file < right.file : left.chunk < right.chunk;
}

/// Keeps the best entries, the worst of them on top.
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
  const Product product_of = fastest_product();
  Best best(limit);
  // In segment order, because sequential reads are fastest.
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const Segment& segment = *parts_.set->segments[i];
    if (live_[i].empty() || segment.dimensions() != vector.size() ||
        segment.embedder() != parts_.embedder) {
      continue;
    }
    for (DocumentNumber document = 0; document < segment.size(); ++document) {
      const FileNumber first = live_[i][document];
      if (first == kNone) continue;
      const std::string_view bytes = segment.vector_bytes(segment.document(document));
      const auto* const vectors = reinterpret_cast<const std::int8_t*>(bytes.data());
      for (std::uint32_t chunk = 0; (chunk + 1) * vector.size() <= bytes.size(); ++chunk) {
        const std::int32_t alike =
            product_of(vectors + chunk * vector.size(), vector.data(), vector.size());
        for (FileNumber file = first; file != kNone; file = same_[file]) {
          best.offer({alike, file, chunk});
        }
      }
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
