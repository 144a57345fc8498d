#include "support/certificate.h"

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdlib>

namespace clever::test {
namespace {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<&EVP_PKEY_free>>;
using X509Certificate = std::unique_ptr<X509, Freed<&X509_free>>;
using Bio = std::unique_ptr<BIO, Freed<&BIO_free_all>>;

// Nothing here can fail but by lack of memory or a broken library.
void require_done(bool done) {
  if (!done) std::abort();
}

Key new_key() {
  Key key(EVP_EC_gen("P-256"));
  require_done(key != nullptr);
  return key;
}

template <class Write>
std::string pem_text(Write write) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require_done(bio != nullptr && write(bio.get()) == 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string to_pem(X509* certificate) {
  return pem_text([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

std::string to_pem(EVP_PKEY* key) {
  return pem_text([&](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  require_done(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

void set_serial(X509* certificate) {
  BIGNUM* number = BN_new();
  require_done(number != nullptr && BN_rand(number, 64, 0, 0) == 1);
  require_done(BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr);
  BN_free(number);
}

void name_subject(X509* certificate, const std::string& name) {
  const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
  require_done(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                                          text, -1, -1, 0) == 1);
}

X509Certificate new_certificate(const CertificateWishes& wishes, EVP_PKEY* key) {
  X509Certificate certificate(X509_new());
  require_done(certificate != nullptr && X509_set_version(certificate.get(), 2) == 1);
  set_serial(certificate.get());
  const auto seconds = [](std::chrono::hours hours) {
    return static_cast<long>(std::chrono::seconds(hours).count());
  };
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), seconds(wishes.from));
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds(wishes.until));
  require_done(X509_set_pubkey(certificate.get(), key) == 1);
  name_subject(certificate.get(), wishes.host);
  return certificate;
}

void name_host(X509* certificate, const std::string& host) {
  const bool local = host == "localhost";
  add_extension(certificate, NID_subject_alt_name,
                "DNS:" + host + (local ? ",IP:127.0.0.1" : std::string()));
}

void sign(X509* certificate, const X509* issuer, EVP_PKEY* key) {
  require_done(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1);
  require_done(X509_sign(certificate, key, EVP_sha256()) > 0);
}

}  // namespace

struct CertificateAuthority::State {
  Key key = new_key();
  X509Certificate certificate = new_certificate({.host = "Authority of a test"}, key.get());
};

CertificateAuthority::CertificateAuthority() : state_(std::make_unique<State>()) {
  X509* certificate = state_->certificate.get();
  add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
  sign(certificate, certificate, state_->key.get());
}

CertificateAuthority::~CertificateAuthority() = default;

std::string CertificateAuthority::pem() const { return to_pem(state_->certificate.get()); }

Certificate CertificateAuthority::issue(const CertificateWishes& wishes) const {
  const Key key = new_key();
  const X509Certificate certificate = new_certificate(wishes, key.get());
  name_host(certificate.get(), wishes.host);
  sign(certificate.get(), state_->certificate.get(), state_->key.get());
  return {.certificate = to_pem(certificate.get()), .key = to_pem(key.get())};
}

Certificate self_signed(const CertificateWishes& wishes) {
  const Key key = new_key();
  const X509Certificate certificate = new_certificate(wishes, key.get());
  name_host(certificate.get(), wishes.host);
  sign(certificate.get(), certificate.get(), key.get());
  return {.certificate = to_pem(certificate.get()), .key = to_pem(key.get())};
}

}  // namespace clever::test
