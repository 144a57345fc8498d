#include "http/internal/tls_session.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>

#include "base/check.h"

namespace clever::http::internal {

void TlsSession::Free::operator()(ssl_st* session) const noexcept { ::SSL_free(session); }

TlsSession::TlsSession(const TlsContext& context) : session_(::SSL_new(context.get())) {
  BIO* const from_peer = ::BIO_new(::BIO_s_mem());
  BIO* const to_peer = ::BIO_new(::BIO_s_mem());
  CLEVER_CHECK(session_ != nullptr && from_peer != nullptr && to_peer != nullptr,
               "OpenSSL has no memory to begin");
  // An empty buffer means that more may come.
  ::BIO_set_mem_eof_return(from_peer, -1);
  ::SSL_set_bio(session_.get(), from_peer, to_peer);
  ::SSL_set_accept_state(session_.get());
}

TlsSession::~TlsSession() = default;

TlsSession::State TlsSession::receive(std::string_view bytes, std::string& plain) {
  ::ERR_clear_error();
  std::size_t taken = 0;
  const int written =
      ::BIO_write_ex(::SSL_get_rbio(session_.get()), bytes.data(), bytes.size(), &taken);
  CLEVER_CHECK(written == 1 && taken == bytes.size(), "a buffer in memory took only a part");
  const State state = read_plain(plain);
  collect_output();
  return state;
}

TlsSession::State TlsSession::read_plain(std::string& plain) {
  std::array<char, kLargestPiece> buffer;
  while (true) {
    std::size_t size = 0;
    const int result = ::SSL_read_ex(session_.get(), buffer.data(), buffer.size(), &size);
    if (result == 1) {
      plain.append(buffer.data(), size);
      continue;
    }
    switch (::SSL_get_error(session_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        return State::kOpen;
      case SSL_ERROR_ZERO_RETURN:
        return State::kEnded;
      default:
        return State::kBroken;
    }
  }
}

bool TlsSession::write(std::string_view plain) {
  ::ERR_clear_error();
  std::size_t written = 0;
  const std::string_view piece = plain.substr(0, kLargestPiece);
  const int result = ::SSL_write_ex(session_.get(), piece.data(), piece.size(), &written);
  collect_output();
  return result == 1 && written == piece.size();
}

void TlsSession::close() {
  ::ERR_clear_error();
  if (::SSL_is_init_finished(session_.get()) == 0) return;
  static_cast<void>(::SSL_shutdown(session_.get()));
  collect_output();
}

void TlsSession::sent(std::size_t size) {
  sent_ += size;
  if (sent_ < output_.size()) return;
  sent_ = 0;
  output_ = {};
}

void TlsSession::collect_output() {
  BIO* const to_peer = ::SSL_get_wbio(session_.get());
  const std::size_t waiting = ::BIO_ctrl_pending(to_peer);
  if (waiting == 0) return;
  const std::size_t before = output_.size();
  output_.resize(before + waiting);
  std::size_t read = 0;
  const int result = ::BIO_read_ex(to_peer, output_.data() + before, waiting, &read);
  CLEVER_CHECK(result == 1 && read == waiting, "a buffer in memory gave only a part");
}

}  // namespace clever::http::internal
