#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::plan {

/// One token of an expression.
struct ExpressionWord {
  enum class Kind : std::uint8_t { kEnd, kNumber, kText, kName, kSign };
  Kind kind = Kind::kEnd;
  /// Without quotes and escapes.
  std::string text{};
  std::int64_t number = 0;
  /// From 1, in bytes.
  std::size_t column = 1;

  [[nodiscard]] bool is(std::string_view word) const noexcept {
    return (kind == Kind::kName || kind == Kind::kSign) && text == word;
  }
};

/// The tokens of a text, one after another. A value; the text must outlive it.
class ExpressionWords {
 public:
  explicit ExpressionWords(std::string_view text) : text_(text) {}
  /// `invalid_argument` for anything else.
  base::Result<ExpressionWord> next();

 private:
  base::Result<ExpressionWord> number();
  base::Result<ExpressionWord> quoted();
  ExpressionWord name();
  base::Result<ExpressionWord> sign();
  [[nodiscard]] std::size_t column() const noexcept { return at_ + 1; }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// "'and'", "the end", for messages.
[[nodiscard]] std::string shown(const ExpressionWord& word);

}  // namespace clever::plan
