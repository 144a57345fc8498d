// Whatever a client sends as its cookies, its token and its addresses lets in none but the one who
// has the token.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "base/clock.h"
#include "server/cookies.h"
#include "server/gate.h"

namespace {

using namespace clever;

constexpr std::string_view kToken =
    "0f0e0d0c0b0a09080706050403020100f0e0d0c0b0a09080706050403020100f";

server::Gate make_gate(const base::Clock& clock) {
  return {{.token = std::string(kToken),
           .authenticate = [](std::string_view) -> base::Result<service::Caller> {
             return base::permission_denied("there is no such token");
           },
           .proxies = server::Proxies({"192.0.2.1"})},
          clock};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const base::SimulatedClock clock;
  server::Gate gate = make_gate(clock);
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"cookie", "authorization"}) {
    const http::Request request{.method = "GET", .host = "localhost", .headers = {{name, text}}};
    const auto who = gate.admit(request);
    const bool is_in = std::holds_alternative<service::Caller>(who);
    CLEVER_CHECK(!is_in || text.contains(kToken), "a caller without the token is in");
    const auto value = server::cookie_value(request, "agents-token");
    CLEVER_CHECK(!value || value->find(';') == std::string_view::npos, "a cookie has two values");
  }
  http::Request forwarded{.headers = {{"x-forwarded-for", text}}, .peer = {.address = "192.0.2.1"}};
  const http::Peer client = gate.proxies().client_of(forwarded);
  CLEVER_CHECK(client.address.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos,
               "a client's address is none");
  forwarded.peer.address = "192.0.2.2";
  CLEVER_CHECK(gate.proxies().client_of(forwarded).address == "192.0.2.2",
               "a stranger's word counts");
  return 0;
}
