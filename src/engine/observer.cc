#include "engine/observer.h"

#include <chrono>

namespace clever::engine {

WaitNotice wait_notice(const provider::Wait& wait, std::string_view model, base::Clock& clock) {
  const base::TimePoint now = clock.now();
  WaitNotice notice{.why = wait.why(model), .sentence = wait.sentence(model, now)};
  if (!wait.until) return notice;
  notice.until = clock.wall_now() + std::chrono::ceil<base::WallTime::duration>(*wait.until - now);
  return notice;
}

}  // namespace clever::engine
