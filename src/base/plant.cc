#include "base/plant.h"

#if CLEVER_TEST_HOOKS
#include <atomic>

#include "base/check.h"

namespace clever::base {
namespace {

std::atomic<const std::string_view*>& present() noexcept {
  // Publishes nothing: set while no reader runs.
  static std::atomic<const std::string_view*> fault{nullptr};
  return fault;
}

}  // namespace

bool planted(std::string_view fault) noexcept {
  const std::string_view* const name = present().load(std::memory_order_relaxed);
  return name != nullptr && *name == fault;
}

Planting::Planting(std::string_view fault) : fault_(fault) {
  CLEVER_CHECK(present().load() == nullptr, "one fault is planted at a time");
  present().store(&fault_);
}

Planting::~Planting() { present().store(nullptr); }

}  // namespace clever::base
#endif
