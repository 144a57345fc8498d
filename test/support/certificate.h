#pragma once
#include <chrono>
#include <memory>
#include <string>

namespace clever::test {

/// A certificate and its key, as PEM texts.
struct Certificate {
  std::string certificate{};
  std::string key{};
};

struct CertificateWishes {
  std::string host = "localhost";  // also valid for 127.0.0.1 if it is this one
  /// Valid from and until, counted from now.
  std::chrono::hours from{-24};
  std::chrono::hours until{24};
};

/// A certificate authority made for one test, in memory. Used by one thread at a time.
class CertificateAuthority {
 public:
  CertificateAuthority();
  ~CertificateAuthority();
  CertificateAuthority(const CertificateAuthority&) = delete;
  CertificateAuthority& operator=(const CertificateAuthority&) = delete;

  /// What a client must trust, as a PEM text.
  [[nodiscard]] std::string pem() const;
  [[nodiscard]] Certificate issue(const CertificateWishes& wishes = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Signed by itself: nobody trusts it.
[[nodiscard]] Certificate self_signed(const CertificateWishes& wishes = {});

}  // namespace clever::test
