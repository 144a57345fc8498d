#include "engine/offer/mcp_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

struct McpSettings : testing::Test {
  base::Result<std::vector<McpServer>> read(std::string_view user, std::string_view project = "") {
    folder.write("home/config.toml", user);
    folder.write("work/.cleveragents/config.toml", project);
    const auto settings =
        config::load_settings({.home = folder / "home", .project_directory = folder / "work"});
    if (!settings.ok()) return settings.error();
    return mcp_servers_of(*settings);
  }
  McpServer one(std::string_view user, std::string_view project = "") {
    return read(user, project).value().at(0);
  }
  std::string mistake(std::string_view user) { return read(user).error().message(); }

  test::TemporaryDirectory folder;
};

TEST_F(McpSettings, ThereAreNoneByDefault) { EXPECT_THAT(*read(""), IsEmpty()); }

TEST_F(McpSettings, ACallNeedsTime) {
  EXPECT_THAT(mistake("[mcp.a]\nurl = 'https://a'\ncall_timeout = '0s'\n"),
              HasSubstr("call_timeout must be longer than 0"));
}

TEST_F(McpSettings, AProgramWithArguments) {
  const McpServer server =
      one("[mcp.files]\ncommand = 'npx'\nargs = ['-y', 'server']\nenv = ['A=b=c']\n"
          "trust_hints = true\nnetwork = 'on'\ntimeout = '5s'\ncall_timeout = '7m'\n");
  EXPECT_EQ(server.name, "files");
  EXPECT_THAT(server.argv, ElementsAre("npx", "-y", "server"));
  EXPECT_THAT(server.environment, ElementsAre(Pair("A", "b=c")));
  EXPECT_TRUE(server.trust_hints);
  EXPECT_EQ(server.network, confine::Network::kOn);
  EXPECT_EQ(server.timeout, std::chrono::seconds{5});
  EXPECT_EQ(server.call_timeout, std::chrono::minutes{7});
  EXPECT_FALSE(server.of_project);
  EXPECT_THAT(server.place, HasSubstr("config.toml:"));
}

TEST_F(McpSettings, ATextIsForTheShell) {
  EXPECT_THAT(one("[mcp.a]\ncommand = 'exec server --all'\n").argv,
              ElementsAre("sh", "-c", "exec server --all"));
  EXPECT_THAT(one("[mcp.a]\ncommand = 'server'\n").argv, ElementsAre("server"));
}

TEST_F(McpSettings, AServerOnTheNet) {
  const McpServer server =
      one("[mcp.a]\nurl = 'https://example.org/mcp'\nheaders = ['Authorization=Bearer ${T}']\n");
  EXPECT_EQ(server.url, "https://example.org/mcp");
  EXPECT_THAT(server.headers, ElementsAre(Pair("Authorization", "Bearer ${T}")));
  EXPECT_THAT(server.argv, IsEmpty());
}

TEST_F(McpSettings, WhateverAProjectSaysOfOneMakesItTheProjects) {
  EXPECT_TRUE(one("", "[mcp.a]\ncommand = 'x'\n").of_project);
  EXPECT_TRUE(one("[mcp.a]\ncommand = 'x'\n", "[mcp.a]\nargs = ['--evil']\n").of_project);
}

TEST_F(McpSettings, AProjectCannotSayThatItIsBelieved) {
  EXPECT_FALSE(read("", "[mcp.a]\ncommand = 'x'\ntrust_hints = true\n").ok());
  EXPECT_FALSE(read("", "[mcp.a]\ncommand = 'x'\nnetwork = 'on'\n").ok());
}

TEST_F(McpSettings, MistakesNamePlaceAndCure) {
  EXPECT_THAT(mistake("[mcp.a]\nenv = ['A=b']\n"), HasSubstr("mcp.a needs a command"));
  EXPECT_THAT(mistake("[mcp.a]\ncommand = 'x'\nurl = 'https://x'\n"), HasSubstr("remove one"));
  EXPECT_THAT(mistake("[mcp.a]\nurl = 'ftp://x'\n"), HasSubstr("config.toml:2: mcp.a.url must"));
  EXPECT_THAT(mistake("[mcp.a]\nurl = 'https://x'\nargs = ['b']\n"),
              HasSubstr("mcp.a.args belongs to a command"));
  EXPECT_THAT(mistake("[mcp.a]\ncommand = 'x'\nheaders = ['b=c']\n"),
              HasSubstr("mcp.a.headers belongs to a url"));
  EXPECT_THAT(mistake("[mcp.a]\ncommand = 'x'\nenv = ['b']\n"), HasSubstr("expected NAME=VALUE"));
  EXPECT_THAT(mistake("[mcp." + std::string(40, 'a') + "]\ncommand = 'x'\n"),
              HasSubstr("longer than 32"));
}

TEST(McpJson, ReadsWhatOtherProgramsRead) {
  const auto servers = parse_mcp_json(
      R"({"mcpServers":{"b":{"type":"http","url":"https://x/mcp","headers":{"K":"v"}},
          "a":{"command":"npx","args":["-y"],"env":{"E":"${HOME}"},"disabled":false}}})",
      ".mcp.json");
  ASSERT_TRUE(servers.ok()) << servers.error().to_string();
  ASSERT_EQ(servers->size(), 2U);
  EXPECT_EQ(servers->at(0).name, "a");
  EXPECT_THAT(servers->at(0).argv, ElementsAre("npx", "-y"));
  EXPECT_THAT(servers->at(0).environment, ElementsAre(Pair("E", "${HOME}")));
  EXPECT_TRUE(servers->at(0).of_project);
  EXPECT_EQ(servers->at(1).url, "https://x/mcp");
  EXPECT_THAT(servers->at(1).headers, ElementsAre(Pair("K", "v")));
}

TEST(McpJson, MistakesNameFilePlaceAndCure) {
  const auto check = [](std::string_view text, std::string_view why) {
    const auto servers = parse_mcp_json(text, ".mcp.json");
    ASSERT_FALSE(servers.ok()) << text;
    EXPECT_THAT(servers.error().message(), HasSubstr(".mcp.json"));
    EXPECT_THAT(servers.error().message(), HasSubstr(why)) << text;
  };
  check("{\n\n!", ".mcp.json:3: not valid JSON");
  check("[]", "must hold");
  check("{}", "must hold");
  check(R"({"mcpServers":[]})", "must hold");
  check(R"({"mcpServers":{"a b":{}}})", "1 to 32 letters");
  check(R"({"mcpServers":{"a":7}})", "mcpServers.a must be an object");
  check(R"({"mcpServers":{"a":{}}})", "either a command or a url");
  check(R"({"mcpServers":{"a":{"command":"x","url":"https://x"}}})", "either a command or a url");
  check(R"({"mcpServers":{"a":{"command":7}}})", "mcpServers.a.command must be a text");
  check(R"({"mcpServers":{"a":{"command":"x","args":"y"}}})", "mcpServers.a.args must be a list");
  check(R"({"mcpServers":{"a":{"command":"x","args":["\u0000"]}}})", "must be a list of texts");
  check(R"({"mcpServers":{"a":{"command":"\u0000"}}})", "without zero bytes");
  check(R"({"mcpServers":{"a":{"command":"x","env":[]}}})", "mcpServers.a.env must be an object");
  check(R"({"mcpServers":{"a":{"command":"x","env":{"A":7}}}})", "mcpServers.a.env.A must be");
  check(R"({"mcpServers":{"a":{"url":"file:///x"}}})", "mcpServers.a.url must begin with");
  check(R"({"mcpServers":{"a":{"type":"sse","url":"https://x"}}})", "sse, which is not spoken");
  check(std::string(2U << 20U, ' '), "larger than 1 MiB");
}

TEST(McpNamedCommand, ShowsWhatIsRunAndRead) {
  EXPECT_THAT(named_command(
                  McpServer{.name = "a", .argv = {"npx", "x"}, .environment = {{"T", "${TOKEN}"}}})
                  .argv,
              ElementsAre("env", "T=${TOKEN}", "npx", "x"));
  EXPECT_THAT(
      named_command(McpServer{.name = "a", .url = "https://x", .headers = {{"K", "v"}}}).argv,
      ElementsAre("https://x", "K=v"));
}

TEST(McpFilledIn, TakesTheEnvironment) {
  const io::Environment environment({{"A", "1"}, {"EMPTY", ""}});
  const auto filled = filled_in(McpServer{.name = "s",
                                          .argv = {"${A}", "x${A}y", "${B:-two}", "$A", "${"},
                                          .environment = {{"E", "${EMPTY}-${EMPTY:-e}"}}},
                                environment);
  ASSERT_TRUE(filled.ok()) << filled.error().to_string();
  EXPECT_THAT(filled->argv, ElementsAre("1", "x1y", "two", "$A", "${"));
  EXPECT_THAT(filled->environment, ElementsAre(Pair("E", "-e")));
}

TEST(McpFilledIn, NamesAVariableThatIsNotSet) {
  const auto filled = filled_in(
      McpServer{.name = "s", .url = "https://x", .headers = {{"K", "${NO}"}}, .place = "c:1"}, {});
  EXPECT_THAT(filled.error().sentence(), HasSubstr("the environment variable NO is not set"));
  EXPECT_THAT(filled.error().sentence(), HasSubstr("the MCP server s (c:1)"));
}

}  // namespace
}  // namespace clever::engine
