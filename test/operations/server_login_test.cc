// Signing in: links, devices, cookies, and what is behind a proxy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "service/access/logins.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using test::ServerAnswer;
using test::ServerRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kOrigin = "Origin: http://localhost\r\n";
constexpr std::string_view kSecret =
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

std::string json_text(const ServerAnswer& answer, std::string_view key) {
  const auto document = model::parse_document(answer.body);
  const auto* found = document.ok() ? document->find(key) : nullptr;
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? "" : *text;
}

class ServerLogin : public ::testing::Test {
 protected:
  // What `agents token link` prints, without a terminal.
  std::string code(const std::string& scope = "read") {
    const auto file = server_.folder() / ("link" + std::to_string(++links_));
    const auto made = server_.command({"token", "link", "ada", "--scope", scope, "--output", file});
    EXPECT_EQ(made, 0);
    const std::string link = io::read_file(file).value();
    EXPECT_THAT(link, HasSubstr("http://127.0.0.1:7777/#login=login_"));
    return link.substr(link.find("login_"), 70);
  }
  ServerAnswer login(const std::string& body, std::string_view headers = "") {
    return server_.ask_as(headers, "POST", "/v1/login", body);
  }
  std::string cookie_of(const ServerAnswer& answer) {
    const std::size_t at = answer.head.find("Set-Cookie: ");
    if (at == std::string::npos) return "";
    return "Cookie: " + answer.head.substr(at + 12, answer.head.find(';', at) - at - 12) + "\r\n";
  }
  ServerAnswer approve(const std::string& token, const std::string& device_code,
                       const std::string& body = "") {
    return server_.ask_as("Authorization: Bearer " + token + "\r\n", "POST",
                          "/v1/login/device/" + device_code, body);
  }

  ServerRun server_;
  int links_ = 0;
};

TEST_F(ServerLogin, ACodeCountsOnce) {
  const std::string body = R"({"code":")" + code() + "\"}";
  const ServerAnswer first = login(body);
  EXPECT_EQ(first.status, 200) << first.body;
  const std::string token = json_text(first, "token");
  const ServerAnswer me =
      server_.ask_as("Authorization: Bearer " + token + "\r\n", "GET", "/v1/me");
  EXPECT_THAT(me.body, AllOf(HasSubstr(R"("caller":"ada")"), HasSubstr(R"("rights":["read"])")));
  const ServerAnswer again = login(body);
  EXPECT_EQ(again.status, 401);
  EXPECT_THAT(again.body, HasSubstr("it was used"));
}

TEST_F(ServerLogin, ACodeIsNotATokenAndATokenIsNoCode) {
  const std::string fresh = code();
  EXPECT_EQ(server_.ask_as("Authorization: Bearer " + fresh + "\r\n", "GET", "/v1/me").status, 401);
  EXPECT_EQ(login(R"({"code":")" + server_.token() + "\"}").status, 401);
  EXPECT_EQ(login(R"({"code":"login_0"})").status, 401);
  EXPECT_EQ(login(R"({"code":")" + fresh + "\"}").status, 200);
  EXPECT_THAT(server_.ask("GET", "/v1/tokens").body, Not(HasSubstr("\"login\"")));
  EXPECT_EQ(login("{}").status, 400);
  EXPECT_EQ(login(R"({"code":"a","device":"b"})").status, 400);
}

TEST_F(ServerLogin, APageHasItsTokenInACookieThatScriptsCannotRead) {
  const ServerAnswer in = login(R"({"code":")" + code("run") + R"(","cookie":true})", kOrigin);
  EXPECT_EQ(in.status, 200);
  EXPECT_THAT(in.body, Not(HasSubstr("token")));
  EXPECT_THAT(in.head, AllOf(HasSubstr("; HttpOnly"), HasSubstr("; SameSite=Strict"),
                             HasSubstr("; Path=/;"), Not(HasSubstr("Secure"))));
  const std::string cookie = cookie_of(in);
  EXPECT_THAT(server_.ask_as(cookie, "GET", "/v1/me").body, HasSubstr("ada"));
  // A form of another site sends the cookie, but no Origin of ours.
  EXPECT_EQ(server_.ask_as(cookie, "POST", "/v1/logout").status, 403);
  EXPECT_EQ(server_.ask_as(cookie + "Origin: http://evil.example\r\n", "POST", "/v1/logout").status,
            403);
  EXPECT_EQ(server_.ask_as(cookie + "Origin: null\r\n", "POST", "/v1/logout").status, 403);
  const ServerAnswer out = server_.ask_as(cookie + std::string(kOrigin), "POST", "/v1/logout");
  EXPECT_EQ(out.status, 200) << out.body;
  EXPECT_THAT(out.head, HasSubstr("Max-Age=0"));
  EXPECT_EQ(server_.ask_as(cookie, "GET", "/v1/me").status, 401);
}

TEST_F(ServerLogin, TwoCookiesOfTheNameCountAsNone) {
  const std::string cookie =
      cookie_of(login(R"({"code":")" + code() + R"(","cookie":true})", kOrigin));
  EXPECT_EQ(server_.ask_as(cookie + cookie, "GET", "/v1/me").status, 401);
  EXPECT_EQ(server_.ask_as(cookie + "Authorization: Bearer x\r\n", "GET", "/v1/me").status, 401);
}

TEST_F(ServerLogin, ADeviceWaitsForTheCodeThatAPersonApproves) {
  const std::string body = R"({"device":")" + std::string(kSecret) + "\"}";
  const ServerAnswer waiting = login(body);
  EXPECT_EQ(waiting.status, 202);
  const std::string shown = json_text(waiting, "code");
  EXPECT_EQ(shown, service::device_code(kSecret));
  const std::string ada = json_text(login(R"({"code":")" + code("read") + "\"}"), "token");
  EXPECT_EQ(approve(ada, shown, R"({"scopes":["run"]})").status, 403);
  EXPECT_EQ(approve(ada, shown, R"({"person":"bob"})").status, 403);
  EXPECT_EQ(approve(ada, "ABCD").status, 422);
  EXPECT_EQ(login(body).status, 202);
  const ServerAnswer approved = approve(ada, base::lower_case(shown));
  EXPECT_EQ(approved.status, 200) << approved.body;
  const ServerAnswer in = login(body);
  EXPECT_EQ(in.status, 200) << in.body;
  EXPECT_THAT(in.body, AllOf(HasSubstr(R"("caller":"ada")"), HasSubstr(R"("rights":["read"])"),
                             HasSubstr(R"("token":"agents_)")));
  EXPECT_EQ(login(body).status, 202);
  // Through the wire the server's own token is nobody; it says whom it means.
  EXPECT_EQ(approve(server_.token(), shown).status, 422);
  EXPECT_EQ(approve(server_.token(), shown, R"({"person":"bob","scopes":["read"]})").status, 200);
  EXPECT_EQ(json_text(login(body), "caller"), "bob");
}

TEST_F(ServerLogin, ADeviceGetsNoNamespacesThatItsApproverLacks) {
  const ServerAnswer bound = server_.ask(
      "POST", "/v1/tokens", R"({"person":"eve","scopes":["read"],"namespaces":["web"]})");
  const std::string eve = json_text(bound, "token");
  const std::string shown = service::device_code(kSecret);
  EXPECT_EQ(approve(eve, shown, R"({"namespaces":["ops"]})").status, 403);
  EXPECT_EQ(approve(eve, shown).status, 200);
  EXPECT_THAT(login(R"({"device":")" + std::string(kSecret) + "\"}").body,
              HasSubstr(R"("namespaces":["web"])"));
}

TEST_F(ServerLogin, WrongLoginsAreCountedByAddressAndInTheAuditLog) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(login(R"({"code":"login_0"})").status, 401);
  const ServerAnswer more = login(R"({"code":"login_0"})");
  EXPECT_EQ(more.status, 429);
  EXPECT_THAT(more.head, HasSubstr("Retry-After"));
  // A right one still counts: nobody is locked out by others.
  EXPECT_EQ(login(R"({"code":")" + code() + "\"}").status, 200);
  EXPECT_THAT(server_.ask("GET", "/v1/audit").body,
              AllOf(HasSubstr(R"("action":"login.link")"), HasSubstr(R"("action":"login")"),
                    HasSubstr(R"("target":"/v1/login","outcome":"denied")")));
}

TEST_F(ServerLogin, ForwardedHeadersCountFromProxiesAlone) {
  const std::string forwarded =
      "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\nOrigin: https://localhost\r\n";
  EXPECT_EQ(login("{}", forwarded).status, 403);
  ServerRun proxied({}, {{"CLEVERAGENTS_SERVER_PROXIES", "127.0.0.1"}});
  const auto ask = [&](const std::string& headers, const std::string& body) {
    return proxied.ask_as(headers, "POST", "/v1/login", body).status;
  };
  EXPECT_EQ(ask(forwarded, "{}"), 400);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(ask(forwarded, R"({"code":"login_0"})"), 401);
  EXPECT_EQ(ask(forwarded, R"({"code":"login_0"})"), 429);
  // What the client wrote itself stands before the proxy's entry, and does not count.
  EXPECT_EQ(ask("X-Forwarded-For: 198.51.100.1, 203.0.113.9\r\n", R"({"code":"login_0"})"), 429);
  EXPECT_EQ(ask("X-Forwarded-For: 203.0.113.9, 198.51.100.1\r\n", R"({"code":"login_0"})"), 401);
}

}  // namespace
}  // namespace clever::server
