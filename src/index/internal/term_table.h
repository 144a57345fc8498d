#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/internal/postings.h"

namespace clever::index::internal {

/// The field of a term. Part of the file format: the first byte of a dictionary's keys.
enum class Field : char {
  kDefined = 'd',     // a name as spelled, where it is defined
  kImport = 'i',      // the last parts of an import
  kDefinition = 'n',  // words of defined names
  kUsed = 'u',        // a name as spelled, where it is used
  kContent = 'w',     // words of contents
};

/// Terms and their postings while a segment is gathered. Terms lie in an arena, followed by their
/// text; postings lie in slices that double in size, so that a million rare terms cost little and a
/// common one does not move. The last posting is kept in its term, so that terms of a single
/// document have no slice.
///
/// Used by one thread at a time. Documents must come in ascending order.
class TermTable {
 public:
  TermTable();
  TermTable(TermTable&&) noexcept = default;
  TermTable& operator=(TermTable&&) noexcept = default;

  /// Leaves out keys longer than 255 bytes.
  void add(Field field, std::string_view text, DocumentNumber document, std::uint32_t count);

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// Its approximate size in bytes.
  [[nodiscard]] std::size_t memory() const noexcept;

  struct Entry {
    Field field;
    std::string_view text;
    std::uint32_t documents;
    std::string_view postings;
  };
  /// Calls each(entry), sorted by field and text.
  template <class F>
  void for_each(F&& each) const {
    std::string postings;
    for (const std::uint32_t place : sorted()) {
      const Term& term = at(place);
      postings.clear();
      collect(term, postings);
      each(Entry{term.field, text_of(term), term.documents, postings});
    }
  }

 private:
  struct Term {
    std::uint32_t hash;
    std::uint32_t previous;  // the document before the last
    std::uint32_t last;      // the last document, its count still growing
    std::uint32_t count;
    std::uint32_t documents;
    std::uint32_t head;  // the first slice; 0: none
    std::uint32_t tail;  // where the next byte goes
    std::uint32_t end;   // of the last slice, where the link to the next one will be
    std::uint8_t size;
    std::uint8_t level;  // of the next slice
    Field field;
  };
  static constexpr std::size_t kBlock = std::size_t{1} << 20U;
  static constexpr std::size_t kAlignment = 4;

  /// Blocks of bytes with stable addresses; a place is a number.
  class Arena {
   public:
    std::uint32_t allocate(std::size_t size);
    [[nodiscard]] char* at(std::uint32_t place) const {
      return blocks_[place / kBlock].get() + place % kBlock;
    }
    [[nodiscard]] std::size_t memory() const noexcept { return blocks_.size() * kBlock; }

   private:
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t used_ = kBlock;
  };

  [[nodiscard]] Term& at(std::uint32_t place) const {
    return *reinterpret_cast<Term*>(terms_.at(place * kAlignment));
  }
  [[nodiscard]] static std::string_view text_of(const Term& term) {
    return {reinterpret_cast<const char*>(&term + 1), term.size};
  }
  Term& find(Field field, std::string_view text);
  Term& insert(std::size_t slot, std::uint32_t hash, Field field, std::string_view text);
  void grow();
  void write_waiting(Term& term);
  void append(Term& term, const char* bytes, std::size_t size);
  void next_slice(Term& term);
  void collect(const Term& term, std::string& bytes) const;
  [[nodiscard]] std::vector<std::uint32_t> sorted() const;

  Arena terms_;
  Arena slices_;
  // Hash in the upper half, place in the lower; 0: free.
  std::vector<std::uint64_t> slots_;
  std::size_t count_ = 0;
};

}  // namespace clever::index::internal
