// Whatever a login provider sends as keys and ID tokens is read, or refused with a reason; without
// the private key no token counts.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "server/oidc/jwt.h"

namespace {

using namespace clever;

// The key of RFC 8037, and a header that names it.
constexpr std::string_view kKeys =
    R"({"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]})";
constexpr std::string_view kHeader = R"({"alg":"EdDSA","kid":"a"})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const server::KeySet kKnown = server::KeySet::parse(kKeys).value();
  const std::string text(reinterpret_cast<const char*>(data), size);
  const server::TokenRules rules{.issuer = "https://id.example", .client = "agents", .nonce = "n"};
  const auto keys = server::KeySet::parse(text);
  CLEVER_CHECK(keys.ok() || !keys.error().message().empty(), "a mistake has no words");
  const std::string claims = server::to_base64url(text.substr(0, size / 2));
  const std::string signature = server::to_base64url(text.substr(size / 2));
  const std::string token = server::to_base64url(kHeader) + "." + claims + "." + signature;
  CLEVER_CHECK(!server::verify_id_token(token, kKnown, rules).ok(), "a forged token counts");
  CLEVER_CHECK(!server::verify_id_token(text, kKnown, rules).ok(), "a forged token counts");
  return 0;
}
