#pragma once
#include <string>
#include <string_view>

#include "base/secret_marks.h"
#include "base/secrets.h"

// For what is shown and logged, and for nothing else: it replaces ordinary source code as well
// (`password: str`). What models and tools work on goes by base/secrets.h; the `redaction` rule of
// the tidy test sees to it.

namespace clever::base {

/// Replaces what looks like a secret by kRedacted and leaves all other text alone, hashes, UUIDs
/// and ULIDs among it:
///  - keys and tokens of well-known shape: sk-…, AIza…, gsk_…, ghp_…, github_pat_…, xoxb-…, AKIA…,
///  JWTs
///  - credentials: Authorization, Cookie and x-api-key headers, "Bearer …", "Basic …"
///  - values of fields whose name says so (names_secret): URL queries, JSON, assignments, flags
///  - passwords in URLs, and PEM private keys (to the end of the text if the key is cut off)
/// Where text is ambiguous it redacts rather than leaks. It cannot see a secret of unknown shape in
/// a field of an innocent name: that is what Secrets is for.
///
/// Linear in the size of the text, whatever it holds. Redacting twice is redacting once.
[[nodiscard]] std::string redact(std::string_view text);

/// Whether a field of this name holds a secret: "api_key", "GITHUB_TOKEN", "db.password", but not
/// "max_tokens" or "token_count".
[[nodiscard]] bool names_secret(std::string_view key);

/// Redacts known secrets (Secrets), and then by shape like redact().
///
/// Thread-safe; redacting works on an immutable snapshot of what was added before.
class Redactor {
 public:
  /// As Secrets::add().
  bool add(std::string_view secret) { return secrets_.add(secret); }

  [[nodiscard]] std::string redact(std::string_view text) const;
  [[nodiscard]] const Secrets& secrets() const noexcept { return secrets_; }

 private:
  Secrets secrets_;
};

}  // namespace clever::base
