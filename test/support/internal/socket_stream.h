#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/file_descriptor.h"
#include "support/certificate.h"

struct ssl_ctx_st;
struct ssl_st;

namespace clever::test::internal {

/// The server's side of TLS with one certificate.
class TlsContext {
 public:
  explicit TlsContext(const Certificate& certificate);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  [[nodiscard]] ssl_ctx_st* handle() const { return handle_; }

 private:
  ssl_ctx_st* handle_;
};

/// A connected socket that never blocks, with TLS or without.
class SocketStream {
 public:
  enum class Reading : std::uint8_t { kData, kNothingYet, kEnd };

  /// `tls` may be null.
  SocketStream(io::FileDescriptor socket, const TlsContext* tls);
  ~SocketStream();
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;

  [[nodiscard]] int descriptor() const { return socket_.number(); }
  /// Appends what there is to `bytes`.
  [[nodiscard]] Reading read(std::string& bytes);
  /// How many bytes the system took; none once the peer is gone.
  [[nodiscard]] std::size_t write(std::string_view bytes);
  /// Says that nothing more will come; with TLS only if asked to do it in order.
  void finish(bool in_order);
  /// The next close resets the connection.
  void reset_on_close();

 private:
  io::FileDescriptor socket_;
  ssl_st* tls_ = nullptr;
};

}  // namespace clever::test::internal
