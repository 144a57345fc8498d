#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/document.h"

// ID tokens of OpenID Connect: signed by RS256, ES256 or EdDSA, and by nothing else. Pure
// functions.
namespace clever::server {

/// The public keys of a provider (RFC 7517). A value; keys that cannot verify ID tokens are left
/// out.
class KeySet {
 public:
  /// `invalid_argument` for a text that is no key set.
  [[nodiscard]] static base::Result<KeySet> parse(std::string_view json);

  /// `not_found` if no key of this id is there; an empty id means the only key for `algorithm`.
  /// `permission_denied` if the signature is not the key's.
  [[nodiscard]] base::Result<void> verify(std::string_view algorithm, const std::string& id,
                                          std::string_view content,
                                          std::string_view signature) const;
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }

 private:
  struct Key;
  std::vector<std::shared_ptr<const Key>> keys_;
};

/// What an ID token must say. A value.
struct TokenRules {
  std::string issuer{};
  std::string client{};
  std::string nonce{};
  base::WallTime now{};
};

/// The claims of a token that is valid by all rules. `permission_denied` says which rule it breaks;
/// `not_found`: it is signed with a key that is not among `keys`.
[[nodiscard]] base::Result<model::Document> verify_id_token(std::string_view token,
                                                            const KeySet& keys,
                                                            const TokenRules& rules);

/// The alphabet for URLs of RFC 4648, without padding.
[[nodiscard]] std::string to_base64url(std::string_view bytes);
[[nodiscard]] base::Result<std::string> from_base64url(std::string_view text);

}  // namespace clever::server
