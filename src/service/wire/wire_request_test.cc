#include "service/wire/wire_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/document_json.h"

namespace clever::service {
namespace {

using ::testing::HasSubstr;

base::Result<Report> nothing(const Invocation& /*invocation*/, Context& /*context*/) {
  return Report();
}

Command tree() {
  Command list;
  list.name = "list";
  list.positionals.emplace_back().name = "STATE";
  Option& order = list.options.emplace_back();
  order.name = "order";
  order.value = "HOW";
  order.choices = {"old", "new"};
  list.handler = nothing;
  Command plan;
  plan.name = "plan";
  plan.subcommands = {list};
  Command root;
  root.name = "agents";
  root.options.emplace_back().name = "quiet";
  root.subcommands = {plan};
  return root;
}

base::Result<Invocation> called(const Command& root, std::string_view json) {
  return invocation_of(request_of(model::parse_document(json).value()), root);
}

void expect_refusal(std::string_view json, const std::string& why) {
  const Command root = tree();
  const auto invocation = called(root, json);
  ASSERT_FALSE(invocation.ok()) << json;
  EXPECT_THAT(invocation.error().message(), HasSubstr(why));
}

TEST(WireRequest, ACallComesBackAsItWas) {
  const Command root = tree();
  Invocation typed(root);
  typed.enter(root.subcommands[0]);
  typed.enter(root.subcommands[0].subcommands[0]);
  typed.add_word("caf\xE9");
  typed.values_of("order") = {"new"};
  typed.values_of("quiet") = {""};
  WireRequest request = wire_request(typed.path(), typed);
  EXPECT_FALSE(request.options.contains("quiet"));
  request.settings = {{"model.default", "a/b"}};
  request.place = {.directory = "/a", .host = "h", .remotes = {"x"}, .is_complete = true};
  request.terminal.rows = 50;
  request.terminal.error_look.color = true;
  const Document sent = request_document(request);
  const WireRequest back = request_of(model::parse_document(model::to_json(sent)).value());
  EXPECT_EQ(request_document(back), sent);
  const auto invocation = invocation_of(back, root);
  ASSERT_TRUE(invocation.ok());
  EXPECT_EQ(invocation->command().name, "list");
  EXPECT_EQ(invocation->word(0), "caf\xE9");
  EXPECT_EQ(invocation->value("order"), "new");
}

TEST(WireRequest, WhatNoCommandLineWouldSayIsRefused) {
  expect_refusal(R"({"command":"plan melt"})", "no command");
  expect_refusal(R"({"command":"plan"})", "no command by itself");
  expect_refusal(R"({"command":""})", "no command");
  expect_refusal(R"({"command":"plan list"})", "STATE");
  expect_refusal(R"({"command":"plan list","words":["a","b"]})", "too many");
  expect_refusal(R"({"command":"plan list","words":["a"],"options":{"odd":[""]}})", "--odd");
  expect_refusal(R"({"command":"plan list","words":["a"],"options":{"order":["up"]}})",
                 "old or new");
  expect_refusal(R"({"command":"plan list","words":["a"],"options":{"order":[]}})", "no value");
}

TEST(WireRequest, RemotesAreTheSameHoweverTheyAreSpelled) {
  EXPECT_TRUE(share_remote({"git@host.example:ada/a.git"}, {"https://host.example/ada/a"}));
  EXPECT_TRUE(
      share_remote({"ssh://git@host.example/ada/a/"}, {"x", "https://Host.example/ada/a.git"}));
  EXPECT_FALSE(share_remote({"https://host.example/ada/a"}, {"https://host.example/eve/a"}));
  EXPECT_TRUE(share_remote({}, {"https://host.example/ada/a"}));
}

}  // namespace
}  // namespace clever::service
