#include "http/internal/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <string>

namespace clever::http::internal {
namespace {

std::string last_reason() {
  std::string reason;
  for (unsigned long code = 0; (code = ::ERR_get_error()) != 0;) {
    const char* text = ::ERR_reason_error_string(code);
    if (text != nullptr) reason = text;
  }
  return reason.empty() ? "unknown reason" : reason;
}

base::Error unusable(const char* what, const std::filesystem::path& path) {
  return base::invalid_argument(std::string("cannot use the ") + what + " in " + path.string() +
                                ": " + last_reason());
}

// A server has no one to type a password, so encrypted keys are refused.
int refuse_password(char*, int, int, void*) { return 0; }

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned offered_size, void*) {
  static constexpr std::array<unsigned char, 9> kHttp11 = {8,   'h', 't', 't', 'p',
                                                           '/', '1', '.', '1'};
  unsigned char* found = nullptr;
  const int result =
      ::SSL_select_next_proto(&found, size, kHttp11.data(), kHttp11.size(), offered, offered_size);
  *chosen = found;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const noexcept { ::SSL_CTX_free(context); }

base::Result<std::shared_ptr<const TlsContext>> TlsContext::load(const TlsFiles& files) {
  ::ERR_clear_error();
  Owned context(::SSL_CTX_new(::TLS_server_method()));
  if (context == nullptr) return base::internal_error("cannot begin TLS: " + last_reason());
  ::SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                           SSL_OP_CIPHER_SERVER_PREFERENCE);
  ::SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  ::SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_default_passwd_cb(context.get(), &refuse_password);
  ::SSL_CTX_set_alpn_select_cb(context.get(), &choose_protocol, nullptr);
  CLEVER_TRY(read_files(context.get(), files));
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(context)));
}

base::Result<void> TlsContext::read_files(ssl_ctx_st* context, const TlsFiles& files) {
  if (::SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    return unusable("certificate", files.certificate);
  }
  if (::SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return unusable("key", files.key);
  }
  return {};
}

base::Result<void> TlsSlot::load() {
  CLEVER_ASSIGN(std::shared_ptr<const TlsContext> loaded, TlsContext::load(files_));
  // Releases the former context outside the lock.
  context_.with([&](auto& context) { context.swap(loaded); });
  return {};
}

std::shared_ptr<const TlsContext> TlsSlot::context() const {
  return context_.with([](const auto& context) { return context; });
}

}  // namespace clever::http::internal
