#pragma once
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clever::base::internal {

/// Finds given values and their encodings in text. Immutable, and so free to share. Every pattern
/// has at least eight bytes; each position of the text is looked up by its first eight, so the cost
/// does not grow with the number of secrets.
class KnownSecrets {
 public:
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  explicit KnownSecrets(std::vector<std::string> secrets = {});

  [[nodiscard]] const std::vector<std::string>& secrets() const { return secrets_; }

  /// The secrets in the text, in order, without overlaps; skips marks (secret_marks.h).
  [[nodiscard]] std::vector<Stretch> find(std::string_view text) const;
  /// The start of a suffix that may begin a secret which later text completes; the text's size if
  /// there is none.
  [[nodiscard]] std::size_t open_end(std::string_view text) const;

 private:
  struct Pattern {
    std::uint64_t prefix;
    std::string text;
    bool base64;
  };
  void add_pattern(std::string text, bool base64 = false);
  void add_base64(std::string_view secret);
  // The longest pattern at this position, or nullptr.
  [[nodiscard]] const Pattern* match(std::string_view text, std::size_t at) const;

  static constexpr std::size_t kFilterBits = 4096;

  std::vector<std::string> secrets_;
  std::vector<Pattern> patterns_;  // by prefix, the longest first
  std::size_t longest_ = 0;
  std::bitset<kFilterBits> filter_;
};

}  // namespace clever::base::internal
