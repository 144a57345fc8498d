#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/tui/key.h"

namespace clever::cli {

/// Decodes a terminal's bytes into keys: UTF-8, escape sequences (xterm's and the newer `CSI u`),
/// Alt as a leading escape, bracketed paste. Pieces may end anywhere.
///
/// A value, used by one thread. Accepts any input: drops unknown sequences whole; bytes that are
/// not UTF-8 become U+FFFD.
class KeyDecoder {
 public:
  /// The limit of one paste; the rest is cut.
  static constexpr std::size_t kLongestPaste = std::size_t{1} << 20U;

  /// How long an incomplete sequence may take to continue; after that a lone escape is the Escape
  /// key.
  static constexpr std::chrono::milliseconds kPatience{40};

  [[nodiscard]] std::vector<Key> feed(std::string_view bytes);
  /// True if a sequence is incomplete: call flush() if nothing comes for kPatience.
  [[nodiscard]] bool is_pending() const { return !pending_.empty() && !pasting_; }
  /// Ends an incomplete sequence: a lone escape is the Escape key.
  [[nodiscard]] std::vector<Key> flush();

 private:
  /// Returns how many bytes it used; none: more must come.
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
