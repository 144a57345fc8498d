#include "http/stream_end.h"

namespace clever::http {

std::string_view to_string(StreamEnd end) noexcept {
  switch (end) {
    case StreamEnd::kClosed:
      return "closed";
    case StreamEnd::kPeerGone:
      return "peer_gone";
    case StreamEnd::kSlowReader:
      return "slow_reader";
    case StreamEnd::kTimedOut:
      return "timed_out";
    case StreamEnd::kRefused:
      return "refused";
    case StreamEnd::kStopped:
      return "stopped";
  }
  return "unknown";
}

}  // namespace clever::http
