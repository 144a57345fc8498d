#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/guarded.h"

namespace clever::base {

namespace internal {
class KnownSecrets;
}

/// What stands in place of a secret.
inline constexpr std::string_view kRedacted = "[redacted]";

/// Replaces what looks like a secret by kRedacted and leaves all other text alone, hashes, UUIDs
/// and ULIDs among it:
///  - keys and tokens of well-known shape: sk-…, AIza…, gsk_…, ghp_…, github_pat_…, xoxb-…, AKIA…,
///  JWTs
///  - credentials: Authorization, Cookie and x-api-key headers, "Bearer …", "Basic …"
///  - values of fields whose name says so (names_secret): URL queries, JSON, assignments, flags
///  - passwords in URLs, and PEM private keys (to the end of the text if the key is cut off)
/// Where text is ambiguous it redacts rather than leaks. It cannot see a secret of unknown shape in
/// a field of an innocent name: that is what Redactor is for.
///
/// Linear in the size of the text, whatever it holds. Redacting twice is redacting once.
[[nodiscard]] std::string redact(std::string_view text);

/// Whether a field of this name holds a secret: "api_key", "GITHUB_TOKEN", "db.password", but not
/// "max_tokens" or "token_count".
[[nodiscard]] bool names_secret(std::string_view key);

/// Redacts by shape like redact(), and knows the values that were configured as secrets: they
/// disappear wherever they stand, as they are, percent-encoded, JSON-escaped or inside base64.
/// It cannot see a known value that was cut up, compressed, changed in case or encoded otherwise.
///
/// Thread-safe; redacting works on an immutable snapshot of what was added before.
class Redactor {
 public:
  /// A shorter value would be found in ordinary text.
  static constexpr std::size_t kShortestSecret = 8;

  Redactor();
  ~Redactor();
  Redactor(const Redactor&) = delete;
  Redactor& operator=(const Redactor&) = delete;

  /// False, and nothing changes, for a value shorter than kShortestSecret or part of kRedacted.
  bool add(std::string_view secret);

  [[nodiscard]] std::string redact(std::string_view text) const;

 private:
  Guarded<std::shared_ptr<const internal::KnownSecrets>, LockRank::kIds> known_;
};

}  // namespace clever::base
