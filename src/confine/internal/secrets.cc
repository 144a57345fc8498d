#include "confine/internal/secrets.h"

#include <algorithm>
#include <array>

#include "confine/internal/patterns.h"

namespace clever::confine::internal {

bool is_secret_name(std::string_view name) {
  constexpr std::array<std::string_view, 26> kSecrets = {".env",
                                                         ".env.*",
                                                         "*.env",
                                                         "*.pem",
                                                         "*.key",
                                                         "*.p12",
                                                         "*.pfx",
                                                         "*.jks",
                                                         "*.keystore",
                                                         "id_*",
                                                         ".netrc",
                                                         "_netrc",
                                                         ".npmrc",
                                                         ".pypirc",
                                                         ".git-credentials",
                                                         ".htpasswd",
                                                         "credentials",
                                                         "credentials.*",
                                                         "secret.*",
                                                         "secrets.*",
                                                         "*.kdbx",
                                                         ".aws",
                                                         ".ssh",
                                                         ".gnupg",
                                                         "*.tfstate",
                                                         "service-account*.json"};
  return std::ranges::any_of(
      kSecrets, [name](std::string_view secret) { return glob_matches(secret, name); });
}

}  // namespace clever::confine::internal
