#include "io/disk_fault.h"

#if CLEVER_TEST_HOOKS
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace clever::io {
namespace {

std::atomic<std::int64_t>& counted_changes() {  // a count of all threads; publishes nothing else
  static std::atomic<std::int64_t> changes{0};  // publishes nothing else
  return changes;
}

struct FaultOrder {
  int number = 0;
  std::int64_t first = 0;
  bool once = false;
};

FaultOrder parse_fault(std::string_view text) {
  FaultOrder order;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, order.number);
  if (number.ptr == end) return order;
  const auto first = std::from_chars(number.ptr + 1, end, order.first);
  order.once = std::string_view(first.ptr, end) == ":once";
  return order;
}

bool takes_room(DiskChange change) {
  return change == DiskChange::kCreate || change == DiskChange::kWrite;
}

}  // namespace

bool disk_fails(DiskChange change) noexcept {
  // Read each time: a test forks, and only its child gets the faulty disk.
  const char* text = std::getenv("CLEVER_DISK_FAULT");
  if (text == nullptr) return false;
  const FaultOrder order = parse_fault(text);
  if (order.number == ENOSPC && !takes_room(change)) return false;
  const std::int64_t changes = counted_changes().fetch_add(1) + 1;
  if (order.once ? changes != order.first : changes < order.first) return false;
  errno = order.number;
  return true;
}

std::int64_t disk_changes() noexcept { return counted_changes().load(); }

}  // namespace clever::io
#endif
