#include "support/internal/socket_stream.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace clever::test::internal {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

Bio memory_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free_all};
}

bool use(SSL_CTX* context, const Certificate& certificate) {
  X509* x509 =
      PEM_read_bio_X509(memory_of(certificate.certificate).get(), nullptr, nullptr, nullptr);
  EVP_PKEY* key =
      PEM_read_bio_PrivateKey(memory_of(certificate.key).get(), nullptr, nullptr, nullptr);
  const bool used =
      SSL_CTX_use_certificate(context, x509) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1;
  X509_free(x509);
  EVP_PKEY_free(key);
  return used;
}

}  // namespace

TlsContext::TlsContext(const Certificate& certificate) : handle_(SSL_CTX_new(TLS_server_method())) {
  if (handle_ == nullptr || !use(handle_, certificate)) std::abort();
  SSL_CTX_set_mode(handle_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
}

TlsContext::~TlsContext() { SSL_CTX_free(handle_); }

SocketStream::SocketStream(io::FileDescriptor socket, const TlsContext* tls)
    : socket_(std::move(socket)) {
  if (tls == nullptr) return;
  tls_ = SSL_new(tls->handle());
  if (tls_ == nullptr || SSL_set_fd(tls_, socket_.number()) != 1) std::abort();
  SSL_set_accept_state(tls_);
}

SocketStream::~SocketStream() { SSL_free(tls_); }

SocketStream::Reading SocketStream::read(std::string& bytes) {
  std::array<char, 16384> buffer{};
  bool any = false;
  while (true) {
    ERR_clear_error();
    const ssize_t got = tls_ != nullptr
                            ? SSL_read(tls_, buffer.data(), static_cast<int>(buffer.size()))
                            : ::recv(socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
      bytes.append(buffer.data(), static_cast<std::size_t>(got));
      any = true;
      continue;
    }
    const bool again = tls_ != nullptr
                           ? SSL_get_error(tls_, static_cast<int>(got)) == SSL_ERROR_WANT_READ
                           : got < 0 && (errno == EAGAIN || errno == EINTR);
    if (any) return Reading::kData;
    return again ? Reading::kNothingYet : Reading::kEnd;
  }
}

std::size_t SocketStream::write(std::string_view bytes) {
  ERR_clear_error();
  const ssize_t put = tls_ != nullptr
                          ? SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                          : ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  return put > 0 ? static_cast<std::size_t>(put) : 0;
}

void SocketStream::finish(bool in_order) {
  if (tls_ != nullptr && in_order) SSL_shutdown(tls_);
  ::shutdown(socket_.number(), SHUT_WR);
}

void SocketStream::reset_on_close() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

}  // namespace clever::test::internal
