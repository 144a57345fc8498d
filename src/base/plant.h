#pragma once
#include <string_view>

namespace clever::base {

/// A fault that a test plants into a component, to show that the corresponding check notices it:
///
///     if (planted("ulid.reads_then_writes")) return next_in_two_steps();
///
/// A component names its fault "component.what_it_does"; test/reports/plants.cc lists them all.
/// Outside test builds (CLEVER_TEST_HOOKS) nothing is planted, and the compiler drops the branch.
#if CLEVER_TEST_HOOKS
[[nodiscard]] bool planted(std::string_view fault) noexcept;

/// Plants one fault for the whole process until it is destroyed. One at a time, made and destroyed
/// while no component is active.
class Planting {
 public:
  /// The text must outlive it.
  explicit Planting(std::string_view fault);
  ~Planting();
  Planting(const Planting&) = delete;
  Planting& operator=(const Planting&) = delete;

 private:
  const std::string_view fault_;
};
#else
[[nodiscard]] constexpr bool planted(std::string_view /*fault*/) noexcept { return false; }
#endif

}  // namespace clever::base
