#pragma once
#include <span>

#include "index/embedder.h"

namespace clever::index {

/// The direction of these numbers as a Vector: 127 stands for 1. All zeros without a direction: for
/// only zeros, or a number that is not finite.
[[nodiscard]] Vector unit_vector(std::span<const float> numbers);

}  // namespace clever::index
