#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace clever::context {

/// Counts the tokens of a text for a model. Thread-safe; immutable.
class TokenCounter {
 public:
  virtual ~TokenCounter() = default;
  /// "o200k", "cl100k", "estimate".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// By the model's own table; otherwise never less than the model would count, except for the
  /// share of texts that error() states.
  [[nodiscard]] virtual std::size_t count(std::string_view text) const = 0;
  /// The same, but may stop early: beyond `most` it returns any larger number.
  [[nodiscard]] virtual std::size_t count_up_to(std::string_view text, std::size_t /*most*/) const {
    return count(text);
  }
  /// The measured error of the count; empty if it is exact.
  [[nodiscard]] virtual std::string_view error() const = 0;
};

/// For a model as provider/model ("openai/gpt-5", "anthropic/claude-…"); an unknown one gets the
/// estimate. The tables are embedded, and unpacked once per process.
[[nodiscard]] std::shared_ptr<const TokenCounter> token_counter_for(std::string_view model);

}  // namespace clever::context
