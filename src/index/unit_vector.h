#pragma once
#include <span>

#include "index/embedder.h"

namespace clever::index {

/// The direction of these numbers as a Vector: a length of 127 stands for 1. All zeros if there is
/// no direction: nothing but zeros, or something that is no finite number.
[[nodiscard]] Vector unit_vector(std::span<const float> numbers);

}  // namespace clever::index
