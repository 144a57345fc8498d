#pragma once
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clever::base::internal {

/// Finds given values and their encodings in text. Immutable after construction, so free to share.
/// Every pattern has at least eight bytes; its first eight are looked up at each position of the
/// text, so the cost does not grow with the number of secrets.
class KnownSecrets {
 public:
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  explicit KnownSecrets(std::vector<std::string> secrets = {});

  [[nodiscard]] const std::vector<std::string>& secrets() const { return secrets_; }

  /// Where secrets stand, in order, without overlaps; marks (secret_marks.h) are never looked into.
  [[nodiscard]] std::vector<Stretch> find(std::string_view text) const;
  /// Where the beginning of a secret may stand that text to come completes; the text's size:
  /// nowhere.
  [[nodiscard]] std::size_t open_end(std::string_view text) const;

 private:
  struct Pattern {
    std::uint64_t prefix;
    std::string text;
    bool base64;
  };
  void add_pattern(std::string text, bool base64 = false);
  void add_base64(std::string_view secret);
  // The longest pattern that stands at this position, or nullptr.
  [[nodiscard]] const Pattern* match(std::string_view text, std::size_t at) const;

  static constexpr std::size_t kFilterBits = 4096;

  std::vector<std::string> secrets_;
  std::vector<Pattern> patterns_;  // by prefix, the longest first
  std::size_t longest_ = 0;
  std::bitset<kFilterBits> filter_;
};

}  // namespace clever::base::internal
