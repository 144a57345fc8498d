#include "base/crash_point.h"

#if CLEVER_TEST_HOOKS
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string>

namespace clever::base {
namespace {

struct Order {
  std::string name;
  int passes = 0;
};

Order order_of_environment() {
  const char* text = std::getenv("CLEVER_CRASH_AT");
  if (text == nullptr) return {};
  const std::string_view order(text);
  const std::size_t colon = order.rfind(':');
  if (colon == std::string_view::npos) return {std::string(order), 1};
  Order result{std::string(order.substr(0, colon)), 1};
  std::from_chars(order.data() + colon + 1, order.data() + order.size(), result.passes);
  return result;
}

}  // namespace

void crash_point(std::string_view name) noexcept {
  static const char* const stop_at = std::getenv("CLEVER_STOP_AT");
  if (stop_at != nullptr && name.starts_with(stop_at)) std::raise(SIGSTOP);
  static const Order order = order_of_environment();
  if (order.name.empty() || order.name != name) return;
  // Counts the passes of all threads; publishes nothing else.
  static std::atomic<int> passes{0};
  if (passes.fetch_add(1) + 1 == order.passes) std::raise(SIGKILL);
}

}  // namespace clever::base
#endif
