#pragma once
#include <memory>

#include "base/guarded.h"
#include "base/result.h"
#include "http/tls.h"

struct ssl_ctx_st;

namespace clever::http::internal {

/// A certificate and the TLS settings: versions 1.2 and 1.3, no renegotiation, "http/1.1" as the
/// protocol. Immutable; thread-safe.
class TlsContext {
 public:
  /// `invalid_argument` names the file and what is wrong with it.
  [[nodiscard]] static base::Result<std::shared_ptr<const TlsContext>> load(const TlsFiles& files);

  /// OpenSSL counts its users.
  [[nodiscard]] ssl_ctx_st* get() const noexcept { return context_.get(); }

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const noexcept;
  };
  using Owned = std::unique_ptr<ssl_ctx_st, Free>;
  explicit TlsContext(Owned context) noexcept : context_(std::move(context)) {}
  static base::Result<void> read_files(ssl_ctx_st* context, const TlsFiles& files);

  const Owned context_;
};

/// The context for new connections. Thread-safe.
class TlsSlot {
 public:
  explicit TlsSlot(TlsFiles files) : files_(std::move(files)) {}

  /// Reads the files again. After a failure the context stays as it was.
  base::Result<void> load();
  /// Null before the first load().
  [[nodiscard]] std::shared_ptr<const TlsContext> context() const;

 private:
  const TlsFiles files_;
  base::Guarded<std::shared_ptr<const TlsContext>> context_;
};

}  // namespace clever::http::internal
