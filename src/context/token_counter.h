#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace clever::context {

/// How many tokens a model makes of a text. Thread-safe; immutable.
class TokenCounter {
 public:
  virtual ~TokenCounter() = default;
  /// "o200k", "cl100k", "estimate".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// By the model's own table; else never fewer than the model would count, but for the share of
  /// texts that error() states.
  [[nodiscard]] virtual std::size_t count(std::string_view text) const = 0;
  /// The same, unless it is more than `most`: then any number above, for which the rest of the text
  /// need not be looked at.
  [[nodiscard]] virtual std::size_t count_up_to(std::string_view text, std::size_t /*most*/) const {
    return count(text);
  }
  /// How far a count may be off, as measured; empty: it is exact.
  [[nodiscard]] virtual std::string_view error() const = 0;
};

/// For a model as provider/model names it ("openai/gpt-5", "anthropic/claude-…"); an unknown one
/// gets the estimate. The tables are part of the program and unpacked once per process.
[[nodiscard]] std::shared_ptr<const TokenCounter> token_counter_for(std::string_view model);

}  // namespace clever::context
