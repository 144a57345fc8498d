#include "index/unit_vector.h"

#include <cmath>

namespace clever::index {
namespace {

constexpr double kUnit = 127;

}  // namespace

Vector unit_vector(std::span<const float> numbers) {
  double squares = 0;
  for (const float number : numbers) squares += double{number} * double{number};
  Vector vector(numbers.size());
  if (!std::isfinite(squares) || squares <= 0) return vector;
  const double scale = kUnit / std::sqrt(squares);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    vector[i] = static_cast<std::int8_t>(std::lround(double{numbers[i]} * scale));
  }
  return vector;
}

}  // namespace clever::index
