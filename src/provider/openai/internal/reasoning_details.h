#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "provider/internal/json_view.h"

namespace clever::provider::openai {

/// OpenRouter's `reasoning_details`: the reasoning of the model behind it, to be returned
/// unchanged. A stream delivers its texts in pieces, which this joins. Used by one thread.
class ReasoningDetails {
 public:
  void add(internal::JsonView details);
  /// A JSON array; empty if nothing came.
  [[nodiscard]] std::string json() const;

 private:
  struct Detail {
    std::string type{};
    std::int64_t index = 0;
    std::string id{};
    std::string format{};
    std::string text{};
    std::string summary{};
    std::string data{};
    std::string signature{};
  };
  Detail& place(internal::JsonView detail);

  std::vector<Detail> details_{};
};

}  // namespace clever::provider::openai
