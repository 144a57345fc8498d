#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "index/internal/letters.h"
#include "index/words.h"

// Splits bytes into identifiers, and identifiers into words: one pass each, without allocation.
namespace clever::index::internal {

/// Longer ones are data.
inline constexpr std::size_t kLongestIdentifier = 200;
/// Longer ones that begin with a digit are data.
inline constexpr std::size_t kLongestNumber = 12;

/// Splits a run with non-ASCII characters: at signs and broken UTF-8, and text without spaces into
/// pairs of characters.
template <class F>
void cut_mixed_run(std::string_view run, F&& each) {
  std::size_t begin = 0;
  std::size_t previous = std::string_view::npos;  // where the previous ideograph begins
  const auto end_at = [&](std::size_t at) {
    if (at > begin) each(run.substr(begin, at - begin));
  };
  for (std::size_t at = 0; at < run.size();) {
    const base::CodePoint point = base::decode_utf8(run, at);
    const bool letter = point.valid && (point.value < 0x80 || is_letter(point.value));
    if (letter && !is_ideograph(point.value)) {
      previous = std::string_view::npos;
      at += point.size;
      continue;
    }
    end_at(at);
    begin = at + point.size;
    if (letter && previous != std::string_view::npos) each(run.substr(previous, begin - previous));
    previous = letter ? at : std::string_view::npos;
    at = begin;
  }
  end_at(run.size());
}

/// Calls each(identifier) for every stretch of letters, digits and underscores.
template <class F>
void for_each_identifier(std::string_view text, F&& each) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    while (at != end && class_of(*at) == ByteClass::kOther) ++at;
    if (at == end) return;
    const char* const begin = at;
    bool high = false;
    for (; at != end; ++at) {
      const ByteClass one = class_of(*at);
      if (one == ByteClass::kOther) break;
      high |= one == ByteClass::kHigh;
    }
    const std::string_view run(begin, static_cast<std::size_t>(at - begin));
    if (high) {
      cut_mixed_run(run, each);
    } else {
      each(run);
    }
  }
}

/// Splits identifiers. Used by one thread at a time; keeps its buffer.
class WordSplitter {
 public:
  /// Calls each(word) for the whole in lower case, and for each part if there are several.
  template <class F>
  void split(std::string_view identifier, F&& each) {
    if (identifier.size() < 2 || identifier.size() > kLongestIdentifier) return;
    if (class_of(identifier[0]) == ByteClass::kDigit) {
      if (identifier.size() <= kLongestNumber) emit(lowered(identifier), each);
      return;
    }
    lowered(identifier);
    const bool whole = lower_.size() <= kLongestWord;
    if (whole) emit(lower_, each);
    if (!whole && !has_underscore_) return;
    if (parts_ == 1 && starts_[0] == 0 && ends_[0] == lower_.size()) return;
    for (std::size_t i = 0; i < parts_; ++i) {
      const std::string_view part =
          std::string_view(lower_).substr(starts_[i], ends_[i] - starts_[i]);
      if (part.size() <= kLongestWord) emit(part, each);
    }
  }

 private:
  template <class F>
  static void emit(std::string_view word, F&& each) {
    // A single character of any length.
    if (word.size() < 2) return;
    if (word.size() <= 4 && class_of(word[0]) == ByteClass::kHigh &&
        base::decode_utf8(word, 0).size == word.size()) {
      return;
    }
    each(word);
  }
  /// Fills lower_ and the parts.
  std::string_view lowered(std::string_view identifier);
  void lower_ascii(std::string_view identifier);
  void lower_mixed(std::string_view identifier);
  void close_part(std::size_t at);

  std::string lower_;
  std::size_t starts_[kLongestIdentifier]{};
  std::size_t ends_[kLongestIdentifier]{};
  std::size_t parts_ = 0;
  std::size_t open_ = 0;
  bool has_underscore_ = false;
};

}  // namespace clever::index::internal
