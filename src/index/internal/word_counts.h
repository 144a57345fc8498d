#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clever::index::internal {

/// Counts each word of a text. Used by one thread; keeps its memory between texts.
class WordCounts {
 public:
  void clear();
  void add(std::string_view word);

  /// Calls each(word, count) in order of first occurrence.
  template <class F>
  void for_each(F&& each) const {
    for (const Entry& entry : entries_) {
      each(std::string_view(letters_).substr(entry.begin, entry.size), entry.count);
    }
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t count = 0;
  };

  [[nodiscard]] std::size_t place_of(std::uint64_t hash, std::string_view word) const;
  void grow();

  // Index into entries_ plus one; 0: free.
  std::vector<std::uint32_t> places_;
  std::vector<Entry> entries_;
  std::string letters_;
};

}  // namespace clever::index::internal
