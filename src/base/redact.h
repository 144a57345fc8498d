#pragma once
#include <string>
#include <string_view>

#include "base/secret_marks.h"
#include "base/secrets.h"

// For displayed and logged text only: it also replaces ordinary source code (`password: str`). Text
// that models and tools work on uses base/secrets.h; the tidy test's `redaction` rule enforces
// that.

namespace clever::base {

/// Replaces text that looks like a secret by kRedacted and leaves all other text alone, including
/// hashes, UUIDs and ULIDs:
///  - keys and tokens of well-known shape: sk-…, AIza…, gsk_…, ghp_…, github_pat_…, xoxb-…,
///    AKIA…, JWTs
///  - credentials: Authorization, Cookie and x-api-key headers, "Bearer …", "Basic …"
///  - values of fields whose name says so (names_secret): URL queries, JSON, assignments, flags
///  - passwords in URLs, and PEM private keys (to the end of the text if the key is cut off)
/// Ambiguous text is redacted rather than leaked. It cannot detect a secret of unknown shape in a
/// field with a harmless name: that is what Secrets is for.
///
/// Linear in the size of any text. Idempotent.
[[nodiscard]] std::string redact(std::string_view text);

/// Whether a field of this name holds a secret: true for "api_key", "GITHUB_TOKEN", "db.password",
/// false for "max_tokens" or "token_count".
[[nodiscard]] bool names_secret(std::string_view key);

/// Redacts known secrets (Secrets), and then by shape like redact().
///
/// Thread-safe; works on an immutable snapshot of what was added before.
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
