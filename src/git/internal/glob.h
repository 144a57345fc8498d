#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::git::internal {

/// A wildcard pattern of .gitignore files: `*`, `?`, `[a-z]`, `\x`, and, where slashes matter,
/// `**`. Matching takes at most the product of both lengths. Bytes, not characters. An immutable
/// value.
class Glob {
 public:
  /// kSeparate: only `**` matches a slash.
  enum class Slashes : std::uint8_t { kOrdinary, kSeparate };
  Glob(std::string_view pattern, Slashes slashes);

  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  using Set = std::bitset<256>;
  struct Token {
    enum class Kind : std::uint8_t {
      kOne,   // one byte of the set
      kMany,  // any number of bytes of the set
      kSkip,  // nothing; the next two tokens may be skipped together
    };
    Kind kind = Kind::kOne;
    Set set{};
  };

  // The compiler, over a pattern of which `at` is the next byte.
  void compile(std::string_view pattern);
  void compile_stars(std::string_view pattern, std::size_t& at);
  static std::optional<Set> compile_set(std::string_view pattern, std::size_t& at);
  void add_byte(char byte);
  [[nodiscard]] Set any() const;

  void enter(std::vector<bool>& states, std::size_t state) const;

  bool separate_;
  bool impossible_ = false;  // an unfinished set or escape matches nothing
  /// The whole pattern, if it consists of plain bytes.
  std::optional<std::string> literal_;
  std::vector<Token> tokens_;
};

}  // namespace clever::git::internal
