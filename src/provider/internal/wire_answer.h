#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "provider/answer.h"

namespace clever::provider::internal {

/// An answer whose pieces arrive in order. Used by one thread.
class AnswerBuilder {
 public:
  /// The text at the end of the answer; starts a new one after another part.
  [[nodiscard]] std::string& text();
  /// The reasoning at the end of the answer; starts a new one after another part.
  [[nodiscard]] model::Reasoning& reasoning(std::string_view wire);
  model::Reasoning& add_reasoning(std::string_view wire);
  /// The first reasoning of the answer; inserts one at the beginning if there is none.
  [[nodiscard]] model::Reasoning& first_reasoning(std::string_view wire);

  /// Adds a call and returns its number, from 0.
  std::size_t add_call(std::string id, std::string name);
  [[nodiscard]] model::ToolCall& call(std::size_t number);
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }

  /// Everything except the message: stop, stop_detail, refusal, usage, model, id.
  [[nodiscard]] ModelAnswer& head() { return answer_; }

  /// A text that distinguishes this answer from others of the model, for the ids of calls without
  /// one.
  void set_seed(std::string seed) { seed_ = std::move(seed); }

  /// Returns the whole answer, or what is wrong with it. Drops empty parts, gives every call an id
  /// of its own, and turns an ordinary end into one that waits for results if there are calls.
  [[nodiscard]] std::variant<ModelAnswer, std::string> take();

 private:
  void name_calls();

  ModelAnswer answer_{};
  std::vector<std::size_t> calls_{};  // their indices among the parts
  std::string seed_{};
};

}  // namespace clever::provider::internal
