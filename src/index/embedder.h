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

/// A unit vector, eight bits per dimension.
using Vector = std::vector<std::int8_t>;

/// Turns texts into vectors whose angle shows their similarity. Thread-safe. The same text gives
/// the same vector; otherwise `name` changes ("local/1", "openai/text-embedding-3-small").
class Embedder {
 public:
  virtual ~Embedder() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::size_t dimensions() const = 0;
  /// One vector per text.
  [[nodiscard]] virtual base::Result<std::vector<Vector>> embed(
      const std::vector<std::string_view>& texts, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) = 0;
};

}  // namespace clever::index
