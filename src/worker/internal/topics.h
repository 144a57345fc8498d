#pragma once
#include <string>

namespace clever::worker::internal {

/// The queue may have jobs to claim.
[[nodiscard]] inline std::string work_topic(const std::string& queue) { return "jobs/" + queue; }
/// A running job of the queue was cancelled.
[[nodiscard]] inline std::string cancel_topic(const std::string& queue) {
  return "jobs-cancelled/" + queue;
}

}  // namespace clever::worker::internal
