#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "http/message.h"
#include "http/stream_end.h"

namespace clever::http {

namespace internal {
class Exchange;
}

/// A stream of bytes to a client, such as Server-Sent Events. Bytes leave at once and are never
/// compressed.
///
/// A handle: move-only, and every call is safe from any thread. Destroying it closes the stream.
class Stream {
 public:
  enum class Sent : std::uint8_t {
    kAccepted,
    kFull,    // the reader is too slow: the connection is cut, and no later piece is accepted
    kClosed,  // the stream is over: on_close says why
  };

  Stream() = default;
  explicit Stream(std::shared_ptr<internal::Exchange> exchange) noexcept;
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream();

  /// Does not block. Accepted pieces reach the client whole and in order, or the connection is cut.
  Sent send(std::string_view bytes);
  /// Ends the stream properly, after the accepted pieces. Idempotent.
  void close();
  /// Accepted bytes that the reader has not taken yet: a sender of much data waits until this is
  /// small.
  [[nodiscard]] std::size_t unread() const;

 private:
  std::shared_ptr<internal::Exchange> exchange_;
};

/// The right to answer one request, once.
///
/// A handle: move-only, and every call is safe from any thread; the first of several answers
/// counts. May outlive the server. Destroyed without an answer, it answers 500.
class Responder {
 public:
  /// Called exactly once: on the network thread, which it must not block, or within stream() if the
  /// stream was over before it began.
  using OnClose = std::function<void(StreamEnd)>;

  explicit Responder(std::shared_ptr<internal::Exchange> exchange) noexcept;
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  /// Encodes the answer on the caller's thread and passes it to the network thread. False if the
  /// request was answered before or its client is gone.
  bool answer(Response response);
  /// Begins a stream with this status and these headers; ignores the body. If the request was
  /// answered before or its client is gone, the stream is closed already.
  [[nodiscard]] Stream stream(const Response& head, OnClose on_close = {});
  /// True if no client waits for the answer any more. A long-running handler checks it regularly.
  [[nodiscard]] bool is_over() const;

 private:
  std::shared_ptr<internal::Exchange> exchange_;
};

}  // namespace clever::http
