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
  explicit KnownSecrets(std::vector<std::string> secrets);

  [[nodiscard]] const std::vector<std::string>& secrets() const { return secrets_; }

  /// The text with every occurrence replaced by kRedacted; kRedacted itself is never looked into.
  [[nodiscard]] std::string replace(std::string_view text) const;

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
  std::bitset<kFilterBits> filter_;
};

}  // namespace clever::base::internal
