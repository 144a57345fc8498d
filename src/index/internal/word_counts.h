#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clever::index::internal {

/// How often each word occurs in a text. Used by one thread; keeps its memory from text to text.
class WordCounts {
 public:
  void clear();
  void add(std::string_view word);

  /// Calls each(word, count) in the order in which the words came first.
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

  // Of entries_, one more: 0 is a free place.
  std::vector<std::uint32_t> places_;
  std::vector<Entry> entries_;
  std::string letters_;
};

}  // namespace clever::index::internal
