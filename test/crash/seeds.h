#pragma once
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/campaign.h"

namespace clever::storage::crash {

/// The seeds of a campaign: 1, 2, 3, …; or the one in CLEVER_CRASH_SEED, to see it again. A seed
/// decides all that the test chooses; how threads and processes take turns it cannot.
class Seeds {
 public:
  Seeds(std::size_t sample, std::size_t full) : last_(test::campaign(sample, full)) {
    if (const char* text = std::getenv("CLEVER_CRASH_SEED")) {
      std::from_chars(text, text + std::string_view(text).size(), first_);
      last_ = first_;
    }
  }

  /// Whatever the environment says: for what must show up in one of them.
  [[nodiscard]] static Seeds up_to(std::uint64_t last) { return Seeds(last); }

  class Iterator {
   public:
    explicit Iterator(std::uint64_t seed) : seed_(seed) {}
    std::uint64_t operator*() const { return seed_; }
    Iterator& operator++() {
      ++seed_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::uint64_t seed_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(first_); }
  [[nodiscard]] Iterator end() const { return Iterator(last_ + 1); }

 private:
  explicit Seeds(std::uint64_t last) : last_(last) {}

  std::uint64_t first_ = 1;
  std::uint64_t last_;
};

/// The seed of a test that has one: CLEVER_CRASH_SEED, or 1.
[[nodiscard]] inline std::uint64_t first_seed() { return *Seeds(1, 1).begin(); }

[[nodiscard]] inline std::string replay(std::uint64_t seed) {
  return "seed " + std::to_string(seed) + "; CLEVER_CRASH_SEED=" + std::to_string(seed) +
         " runs it alone";
}

}  // namespace clever::storage::crash
