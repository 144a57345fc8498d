#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/tui/key.h"

namespace clever::cli {

/// Makes keys of the bytes of a terminal: UTF-8, escape sequences (xterm's and the newer `CSI u`),
/// Alt as a leading escape, pasted text in brackets. Pieces may end anywhere.
///
/// A value, used by one thread. Total: any input decodes to something sensible; unknown sequences
/// are dropped whole, bytes that are no UTF-8 are U+FFFD.
class KeyDecoder {
 public:
  /// Of one paste; what is longer is cut.
  static constexpr std::size_t kLongestPaste = std::size_t{1} << 20U;

  /// How long something that has begun may take to go on: an escape alone is its key after that.
  static constexpr std::chrono::milliseconds kPatience{40};

  [[nodiscard]] std::vector<Key> feed(std::string_view bytes);
  /// Something has begun that may go on: call flush() if nothing comes for kPatience.
  [[nodiscard]] bool is_pending() const { return !pending_.empty() && !pasting_; }
  /// What has begun is all there is: an escape is the key of that name.
  [[nodiscard]] std::vector<Key> flush();

 private:
  /// How many bytes were used; none: more must come.
  using Taken = std::optional<std::size_t>;

  void decode(std::vector<Key>& keys);
  Taken take_paste(std::string_view bytes, std::vector<Key>& keys);
  Taken take_key(std::string_view bytes, std::vector<Key>& keys);
  Taken take_escape(std::string_view bytes, std::vector<Key>& keys);
  Taken take_sequence(std::string_view bytes, std::vector<Key>& keys);

  std::string pending_;
  bool pasting_ = false;
  std::string paste_;
};

}  // namespace clever::cli
