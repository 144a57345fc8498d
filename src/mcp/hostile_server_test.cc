// Servers that answer as they like, from a seed: whatever they say, each call ends, and what it
// returns is the answer to that call or an error. In full with CLEVER_LONG=1.
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "mcp/client.h"
#include "mcp/testing/scripted_server.h"
#include "support/campaign.h"

namespace clever::mcp {
namespace {

using internal::Json;
using internal::ScriptedServer;

class Hostility {
 public:
  explicit Hostility(std::uint64_t seed) : random_(seed) {}

  void answer(ScriptedServer& server, const Json& message) {
    if (!message.contains("id") || !message.contains("method")) return;
    for (std::size_t acts = below(4); acts > 0; --acts) misbehave(server, message);
    if (below(3) > 0) proper_answer(server, message);
    for (std::size_t acts = below(3); acts > 0; --acts) misbehave(server, message);
  }

 private:
  using Act = void (Hostility::*)(ScriptedServer&, const Json&);

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.next() % count); }

  void misbehave(ScriptedServer& server, const Json& message) {
    static constexpr std::array<Act, 11> kActs = {
        &Hostility::say_bytes,   &Hostility::proper_answer, &Hostility::answer_another,
        &Hostility::refuse,      &Hostility::answer_oddly,  &Hostility::report_progress,
        &Hostility::change,      &Hostility::log,           &Hostility::ask,
        &Hostility::nest_deeply, &Hostility::flood};
    // Rarely, or nothing else would be seen.
    if (below(40) == 0) return server.die(base::unavailable("it died"));
    (this->*kActs.at(below(kActs.size())))(server, message);
  }

  static std::string words_for(const Json& message) {
    return message["params"].value("arguments", Json::object()).dump();
  }

  void proper_answer(ScriptedServer& server, const Json& message) {
    if (message["method"] == "tools/list") {
      server.answer(message, {{"tools", {internal::tool_json("t" + std::to_string(below(5)))}}});
    } else {
      server.answer(message, internal::text_result(words_for(message)));
    }
  }
  void say_bytes(ScriptedServer& server, const Json&) {
    std::string bytes(below(300), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_.next());
    server.say_text(bytes);
  }
  void answer_another(ScriptedServer& server, const Json&) {
    server.say({{"jsonrpc", "2.0"},
                {"id", 1'000'000 + below(1000)},
                {"result", internal::text_result("of another call")}});
  }
  void refuse(ScriptedServer& server, const Json& message) {
    server.refuse(message, -32000 - static_cast<std::int64_t>(below(1000)), Json::array({1, "x"}));
  }
  void answer_oddly(ScriptedServer& server, const Json& message) {
    static const std::array<Json, 6> kOdd = {
        Json(),
        Json(7),
        Json::array({1, 2}),
        {{"content", "no list"}},
        {{"content", {{{"type", 3}}}}},
        {{"tools", {1, Json(), "x"}}, {"nextCursor", "again"}}};
    server.answer(message, kOdd.at(below(kOdd.size())));
  }
  void report_progress(ScriptedServer& server, const Json& message) {
    const Json token = below(2) == 0 ? message["id"] : Json("nobody's");
    server.notify("notifications/progress", {{"progressToken", token}, {"progress", below(9)}});
  }
  void change(ScriptedServer& server, const Json&) {
    server.notify("notifications/tools/list_changed");
  }
  void log(ScriptedServer& server, const Json&) {
    server.notify("notifications/message",
                  {{"level", "error"}, {"data", std::string(below(100'000), '\x1b')}});
  }
  void ask(ScriptedServer& server, const Json&) {
    server.say({{"jsonrpc", "2.0"}, {"id", "q"}, {"method", below(2) == 0 ? "ping" : "rm -rf"}});
  }
  void nest_deeply(ScriptedServer& server, const Json& message) {
    server.say_text(R"({"jsonrpc":"2.0","id":)" + message["id"].dump() + R"(,"result":)" +
                    std::string(1 + below(5000), '['));
  }
  void flood(ScriptedServer& server, const Json& message) {
    for (std::size_t i = below(200); i > 0; --i) report_progress(server, message);
  }

  base::SeededRandom random_;
};

// A call's words are its own: an answer with others is that of another call.
void call_once(Client& client, base::Clock& clock, int number) {
  const Json arguments = {{"number", number}};
  const CallOptions now{.deadline = base::Deadline::at(clock, clock.now())};
  const auto result = client.call("t", arguments.dump(), now);
  const bool odd = result.ok() && !result->is_error && result->text != arguments.dump();
  // What has no text at all is a result too, if an empty one.
  EXPECT_FALSE(odd && !result->text.empty() && result->text.contains("number")) << result->text;
  EXPECT_FALSE(result.ok() && result->text.contains("of another call"));
  if (!client.alive()) EXPECT_FALSE(client.call("t", "{}", now).ok());
}

void meet(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  base::SimulatedClock clock;
  const auto hostility = std::make_shared<Hostility>(seed);
  const auto server = std::make_shared<ScriptedServer>(
      internal::legacy([hostility](ScriptedServer& self, const Json& message) {
        hostility->answer(self, message);
      }));
  const auto soon = base::Deadline::after(clock, std::chrono::seconds{1});
  auto client = Client::connect(server->transport(), clock, {.server_name = "hostile"}, {}, soon);
  ASSERT_TRUE(client.ok()) << client.error().sentence();
  for (int number = 0; number < 20; ++number) {
    call_once(**client, clock, number);
    const auto tools = (*client)->tools({}, base::Deadline::at(clock, clock.now()));
    if (tools.ok()) EXPECT_LE(tools->size(), 1000U);
  }
  EXPECT_LE((*client)->remarks().size(), 101U);
}

TEST(HostileServer, SpoilsItsOwnCallsAlone) {
  const std::size_t seeds = test::campaign(150, 20'000);
  for (std::size_t seed = 1; seed <= seeds; ++seed) meet(seed);
}

}  // namespace
}  // namespace clever::mcp
