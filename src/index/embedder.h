#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::index {

/// A direction of unit length, eight bits per dimension.
using Vector = std::vector<std::int8_t>;

/// Turns texts into vectors whose angle says how alike they are. Thread-safe. The same text gives
/// the same vector; `name` changes whenever it would not ("local/1",
/// "openai/text-embedding-3-small").
class Embedder {
 public:
  virtual ~Embedder() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::size_t dimensions() const = 0;
  /// One for each text.
  [[nodiscard]] virtual base::Result<std::vector<Vector>> embed(
      const std::vector<std::string_view>& texts, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) = 0;
};

}  // namespace clever::index
