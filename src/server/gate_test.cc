#include "server/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"

namespace clever::server {
namespace {

using ::testing::HasSubstr;

class GateTest : public ::testing::Test {
 protected:
  static http::Request request(std::string host, std::vector<http::Header> headers = {}) {
    return {.method = "GET",
            .host = std::move(host),
            .headers = std::move(headers),
            .peer = {.address = "127.0.0.1"}};
  }
  static http::Request with_token(const std::string& value) {
    return request("localhost", {{"authorization", value}});
  }
  int status_of(const http::Request& request) {
    const auto who = gate_.admit(request);
    const auto* problem = std::get_if<Problem>(&who);
    return problem == nullptr ? 200 : problem->status;
  }
  int site_status(const http::Request& request) const {
    const auto problem = gate_.check_site(request);
    return problem ? problem->status : 200;
  }

  base::SimulatedClock clock_;
  Gate gate_{{.token = "secret",
              .rights = {service::Right::kRead},
              .authenticate = [](std::string_view token) -> base::Result<service::Caller> {
                if (token == "adas") return service::Caller{.name = "ada"};
                if (token == "lost") return base::unavailable("the store is gone");
                return base::permission_denied(
                    "this token is not known: check it, or ask an administrator for a new one "
                    "(`agents token create`)");
              },
              .listening = {{.host = "192.0.2.7", .port = 7777}, {.socket = "/s"}},
              .hosts = {"Agents.example"}},
             clock_};
};

TEST_F(GateTest, KnowsTheNamesByWhichItMayBeAskedFor) {
  for (const char* host : {"localhost", "LOCALHOST:7777", "127.0.0.1:1", "[::1]:7777", "192.0.2.7",
                           "agents.example:443"}) {
    EXPECT_EQ(site_status(request(host)), 200) << host;
  }
}

TEST_F(GateTest, RefusesNamesThatWereBoundToItsAddress) {
  for (const char* host : {"evil.example", "evil.example:7777", "localhost.evil.example", "", "[",
                           "192.0.2.8", "127.0.0.1.evil.example"}) {
    EXPECT_EQ(site_status(request(host)), 403) << host;
  }
}

TEST_F(GateTest, RefusesPagesOfOtherSites) {
  EXPECT_EQ(site_status(request("localhost:1", {{"origin", "http://localhost:1"}})), 200);
  for (const char* origin : {"http://evil.example", "null", "http://localhost:2",
                             "https://localhost:1", "http://localhost:1.evil.example", ""}) {
    EXPECT_EQ(site_status(request("localhost:1", {{"origin", origin}})), 403) << origin;
  }
}

TEST_F(GateTest, TakesTheTokenAndNothingElse) {
  EXPECT_EQ(status_of(with_token("Bearer secret")), 200);
  EXPECT_EQ(status_of(with_token("bearer  secret ")), 200);
  for (const char* value :
       {"Bearer secre", "Bearer secrets", "Bearer ", "Bearer", "Basic secret", "secret", ""}) {
    EXPECT_EQ(status_of(with_token(value)), 401) << value;
  }
  EXPECT_EQ(status_of(request("localhost", {{"authorization", "Bearer secret"},
                                            {"authorization", "Bearer secret"}})),
            401);
}

TEST_F(GateTest, OtherTokensAreThoseOfPeople) {
  const auto who = gate_.admit(with_token("Bearer adas"));
  EXPECT_EQ(std::get<service::Caller>(who).name, "ada");
  EXPECT_EQ(status_of(with_token("Bearer eves")), 401);
  EXPECT_EQ(status_of(with_token("Bearer lost")), 503);
}

TEST_F(GateTest, TheCallerHasTheRightsOfTheToken) {
  const auto who = gate_.admit(with_token("Bearer secret"));
  const auto& caller = std::get<service::Caller>(who);
  EXPECT_TRUE(service::require(caller, service::Right::kRead).ok());
  EXPECT_THAT(service::require(caller, service::Right::kApprove).error().message(),
              HasSubstr("`approve`"));
}

TEST_F(GateTest, CountsFailuresByAddressForAWhile) {
  for (std::size_t i = 0; i < LoginFailures::kMostFailures; ++i) {
    EXPECT_EQ(status_of(with_token("Bearer wrong")), 401);
  }
  EXPECT_EQ(status_of(with_token("Bearer wrong")), 429);
  EXPECT_EQ(status_of(with_token("Bearer secret")), 200);
  http::Request elsewhere = with_token("Bearer wrong");
  elsewhere.peer.address = "192.0.2.1";
  EXPECT_EQ(status_of(elsewhere), 401);
  clock_.advance(LoginFailures::kWindow + std::chrono::seconds(1));
  EXPECT_EQ(status_of(with_token("Bearer wrong")), 401);
}

TEST(LoginFailures, TheTableIsBounded) {
  const base::SimulatedClock clock;
  LoginFailures failures(clock);
  for (std::size_t i = 0; i < 2 * LoginFailures::kMostAddresses; ++i) {
    failures.add(std::to_string(i));
  }
  EXPECT_EQ(failures.addresses(), LoginFailures::kMostAddresses);
}

}  // namespace
}  // namespace clever::server
