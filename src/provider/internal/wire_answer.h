#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "provider/answer.h"

namespace clever::provider::internal {

/// An answer while its pieces arrive, in their order. Used by one thread.
class AnswerBuilder {
 public:
  /// The text at the end of the answer; a new one if something else stands there.
  [[nodiscard]] std::string& text();
  /// The reasoning at the end of the answer; a new one if something else stands there.
  [[nodiscard]] model::Reasoning& reasoning(std::string_view wire);
  model::Reasoning& add_reasoning(std::string_view wire);
  /// The first reasoning of the answer; a new one before all else if there is none.
  [[nodiscard]] model::Reasoning& first_reasoning(std::string_view wire);

  /// Adds a call and gives its number, from 0.
  std::size_t add_call(std::string id, std::string name);
  [[nodiscard]] model::ToolCall& call(std::size_t number);
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }

  /// Everything but the message: stop, stop_detail, refusal, usage, model, id.
  [[nodiscard]] ModelAnswer& head() { return answer_; }

  /// What distinguishes this answer from others of the model, for the ids of calls that have none.
  void set_seed(std::string seed) { seed_ = std::move(seed); }

  /// The whole answer: empty parts are dropped, every call has an id of its own, and a call makes
  /// an ordinary end one that waits for results. Or what makes no sense about it.
  [[nodiscard]] std::variant<ModelAnswer, std::string> take();

 private:
  void name_calls();

  ModelAnswer answer_{};
  std::vector<std::size_t> calls_{};  // where they stand among the parts
  std::string seed_{};
};

}  // namespace clever::provider::internal
