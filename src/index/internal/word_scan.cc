#include "index/internal/word_scan.h"

namespace clever::index::internal {
namespace {

// Returns whether a new part begins between `before` and `here`; `after` follows.
bool begins_part(ByteClass before, ByteClass here, ByteClass after) {
  if (here != ByteClass::kUpper) return false;
  if (before == ByteClass::kLower || before == ByteClass::kDigit) return true;
  return before == ByteClass::kUpper && after == ByteClass::kLower;
}

ByteClass class_of_character(char32_t character) {
  if (character < 0x80) return class_of(static_cast<char>(character));
  return to_lower(character) != character ? ByteClass::kUpper : ByteClass::kLower;
}

}  // namespace

void WordSplitter::close_part(std::size_t at) {
  if (at == open_) return;
  starts_[parts_] = open_;
  ends_[parts_] = at;
  ++parts_;
  open_ = at;
}

std::string_view WordSplitter::lowered(std::string_view identifier) {
  lower_.clear();
  parts_ = 0;
  open_ = 0;
  has_underscore_ = false;
  bool ascii = true;
  for (const char byte : identifier) ascii &= static_cast<unsigned char>(byte) < 0x80;
  if (ascii) {
    lower_ascii(identifier);
  } else {
    lower_mixed(identifier);
  }
  close_part(lower_.size());
  return lower_;
}

void WordSplitter::lower_ascii(std::string_view identifier) {
  const std::size_t size = identifier.size();
  lower_.resize(size);
  ByteClass before = ByteClass::kOther;
  ByteClass here = class_of(identifier[0]);
  for (std::size_t i = 0; i < size; ++i) {
    ByteClass after = i + 1 < size ? class_of(identifier[i + 1]) : ByteClass::kOther;
    // "URLs" is one part.
    if (after == ByteClass::kLower && i + 2 == size && identifier[i + 1] == 's') {
      after = ByteClass::kOther;
    }
    if (begins_part(before, here, after)) close_part(i);
    const char byte = identifier[i];
    lower_[i] = here == ByteClass::kUpper ? static_cast<char>(byte + 32) : byte;
    if (here == ByteClass::kUnderscore) {
      close_part(i);
      open_ = i + 1;
      has_underscore_ = true;
    }
    before = here;
    here = i + 1 < size ? class_of(identifier[i + 1]) : ByteClass::kOther;
  }
}

void WordSplitter::lower_mixed(std::string_view identifier) {
  ByteClass before = ByteClass::kOther;
  for (std::size_t at = 0; at < identifier.size();) {
    const base::CodePoint point = base::decode_utf8(identifier, at);
    const std::size_t next = at + point.size;
    const ByteClass here = class_of_character(point.value);
    const ByteClass after = next < identifier.size()
                                ? class_of_character(base::decode_utf8(identifier, next).value)
                                : ByteClass::kOther;
    if (begins_part(before, here, after)) close_part(lower_.size());
    if (here == ByteClass::kUnderscore) {
      close_part(lower_.size());
      open_ = lower_.size() + 1;
      has_underscore_ = true;
    }
    base::append_utf8(lower_, to_lower(point.value));
    before = here;
    at = next;
  }
}

}  // namespace clever::index::internal
