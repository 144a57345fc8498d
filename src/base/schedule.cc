#include "base/schedule.h"

#if CLEVER_TEST_HOOKS

namespace clever::base::schedule {
namespace {
thread_local Scheduler* scheduler_of_thread = nullptr;
}

Scheduler* current() noexcept { return scheduler_of_thread; }
void set_current(Scheduler* scheduler) noexcept { scheduler_of_thread = scheduler; }

}  // namespace clever::base::schedule

#endif
