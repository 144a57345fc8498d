#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clever::base {

/// Whether the whole text matches a pattern in which `*` stands for any bytes and `?` for one.
/// Takes at most the product of both lengths. Pure.
[[nodiscard]] bool matches_wildcards(std::string_view pattern, std::string_view text);
/// The same, at the cost of one of `steps` for each comparison; none once they are used up.
[[nodiscard]] std::optional<bool> matches_wildcards(std::string_view pattern, std::string_view text,
                                                    std::size_t& steps);

/// A compiled pattern of paths. Matching takes at most the product of both lengths. An immutable
/// value, safe from any thread.
///
///   *       any bytes                ?      one byte
///   [a-z]   one of these; [!a-z] none of them; [[:alpha:]] and its kin, for ASCII
///   \x      x itself                 **     between slashes: any number of folders, also none
class Glob {
 public:
  struct Syntax {
    /// A slash separates names: only `**` matches one.
    bool names = true;
    /// Brackets and backslashes have a meaning.
    bool sets = true;
    /// `?` and brackets match a whole UTF-8 character.
    bool characters = false;
    /// `**` matches slashes wherever it stands.
    bool loose = false;
  };
  Glob(std::string_view pattern, Syntax syntax);

  /// False for an unfinished bracket or escape: such a pattern matches nothing.
  [[nodiscard]] bool is_valid() const noexcept { return valid_; }
  [[nodiscard]] bool matches(std::string_view text) const;
  /// Whether some longer text that begins with `prefix` may match.
  [[nodiscard]] bool may_continue(std::string_view prefix) const;

 private:
  using Range = std::pair<char32_t, char32_t>;
  struct Token {
    enum class Kind : std::uint8_t {
      kLiteral,  // one unit
      kSet,      // one of the ranges, or none of them
      kMany,     // any number of units
      kSkip,     // nothing; the next two tokens may be skipped together
    };
    Kind kind = Kind::kLiteral;
    bool slash = false;
    bool negated = false;
    char32_t unit = 0;
    std::vector<Range> ranges{};
  };
  class SetReader;

  void compile(std::string_view pattern);
  void compile_stars(std::string_view pattern, std::size_t& at);
  void keep_literals();
  [[nodiscard]] static bool takes(const Token& token, char32_t unit);
  void enter(std::vector<bool>& states, std::size_t state) const;
  // The states that the text leads to; empty if none.
  [[nodiscard]] std::vector<bool> states_after(std::string_view text) const;

  Syntax syntax_;
  bool valid_ = true;
  /// The bytes that each matching text begins and ends with.
  std::string head_{};
  std::string tail_{};
  /// One star between head and tail.
  bool one_star_ = false;
  std::vector<Token> tokens_{};  // after the head
};

}  // namespace clever::base
