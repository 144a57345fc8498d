#pragma once
#include <cstdint>
#include <string_view>

namespace clever::http {

/// Why a stream ended.
enum class StreamEnd : std::uint8_t {
  kClosed,      // its handler closed it
  kPeerGone,    // the client disconnected
  kSlowReader,  // the client left more unread than Limits::stream_buffer_bytes
  kTimedOut,    // the client took nothing for Limits::write
  kRefused,     // Limits::streams was reached
  kStopped,     // the server stopped
};
/// "closed", "peer_gone", "slow_reader", "timed_out", "refused", "stopped".
[[nodiscard]] std::string_view to_string(StreamEnd end) noexcept;

}  // namespace clever::http
