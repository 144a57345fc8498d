#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/internal/tls_context.h"

struct ssl_st;

namespace clever::http::internal {

/// The server's end of one TLS connection, between network bytes and HTTP bytes. No socket: output
/// waits in output(). Used by one thread.
class TlsSession {
 public:
  enum class State : std::uint8_t {
    kOpen,
    kEnded,   // the peer announced its end
    kBroken,  // the peer does not speak TLS, or not ours; output() may hold an alert
  };
  /// The most that write() takes at once.
  static constexpr std::size_t kLargestPiece = std::size_t{16} << 10U;

  explicit TlsSession(const TlsContext& context);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Takes bytes from the network, and appends the decrypted ones to `plain`.
  State receive(std::string_view bytes, std::string& plain);
  /// Encrypts at most kLargestPiece bytes into output(). False if the connection is not ready.
  [[nodiscard]] bool write(std::string_view plain);
  /// Announces the end of our output.
  void close();

  [[nodiscard]] std::string_view output() const noexcept {
    return std::string_view(output_).substr(sent_);
  }
  /// The network took this many bytes of output().
  void sent(std::size_t size);

 private:
  struct Free {
    void operator()(ssl_st* session) const noexcept;
  };

  State read_plain(std::string& plain);
  void collect_output();

  const std::unique_ptr<ssl_st, Free> session_;
  std::string output_{};
  std::size_t sent_ = 0;
};

}  // namespace clever::http::internal
