#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/internal/bytes.h"

// Sorted keys in blocks of sixteen; each key but the first of a block omits the beginning it shares
// with its predecessor. A key leads to its postings, which lie in key order: only their sizes are
// stored, and where the first of a block begins.
namespace clever::index::internal {

class DictionaryWriter {
 public:
  /// In ascending order, without duplicates.
  void add(std::string_view key, std::size_t postings_size);

  /// The keys, and where each block begins.
  [[nodiscard]] const std::string& blocks() const noexcept { return blocks_; }
  [[nodiscard]] const std::string& starts() const noexcept { return starts_; }

 private:
  std::string blocks_;
  std::string starts_;
  std::string last_;
  std::uint64_t postings_ = 0;
  std::size_t count_ = 0;
};

/// A view into a segment; thread-safe. With damaged bytes it finds less, but never reads outside
/// them.
class Dictionary {
 public:
  Dictionary() = default;
  Dictionary(std::string_view blocks, std::string_view starts, std::string_view postings) noexcept
      : blocks_(blocks), starts_(starts), postings_(postings) {}

  /// The postings of a key; empty if there are none.
  [[nodiscard]] std::string_view find(std::string_view key) const;
  [[nodiscard]] std::size_t blocks() const noexcept {
    return starts_.size() / sizeof(std::uint32_t);
  }

  /// Iterates over all keys in order.
  class Cursor {
   public:
    explicit Cursor(const Dictionary& dictionary, std::size_t block = 0)
        : dictionary_(dictionary), block_(block - 1), reader_({}) {
      next();
    }
    [[nodiscard]] bool at_end() const noexcept { return at_end_; }
    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    [[nodiscard]] std::string_view postings() const noexcept { return postings_; }
    void next();

   private:
    friend class Dictionary;

    const Dictionary& dictionary_;
    std::size_t block_;  // initially the block before the first: next() continues from there
    ByteReader reader_;
    std::string key_;
    std::string_view postings_;
    std::uint64_t offset_ = 0;
    bool first_ = false;
    bool at_end_ = false;
  };

 private:
  [[nodiscard]] std::string_view block(std::size_t number) const noexcept;
  [[nodiscard]] std::string_view first_key(std::size_t number) const noexcept;
  [[nodiscard]] std::string_view postings_at(std::uint64_t offset,
                                             std::uint64_t size) const noexcept;

  std::string_view blocks_;
  std::string_view starts_;
  std::string_view postings_;
};

}  // namespace clever::index::internal
