// An agent of the Agent Client Protocol that needs no model: what it does is its first argument.
// Well-behaved or not, for tests of the client's side.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

void say(const Json& message) { std::cout << message.dump() << std::endl; }

Json read() {
  std::string line;
  if (!std::getline(std::cin, line)) std::exit(0);
  return Json::parse(line);
}

/// One agent process.
class Agent {
 public:
  explicit Agent(std::string mode) : mode_(std::move(mode)) {}

  int run() {
    if (mode_ == "junk") flood([] { std::cout << "not a message\n"; });
    if (mode_ == "silent") sleep_for_good();
    if (mode_ == "noise") std::cout << "Welcome!\n\n{\"strange\": true}\n" << std::endl;
    if (mode_ == "long") flood([] { std::cout << std::string(1 << 16, 'x'); });
    const bool loads = mode_ == "asks" || mode_ == "choices";
    answer(wait_for("initialize"), {{"protocolVersion", mode_ == "version" ? 2 : 1},
                                    {"agentCapabilities", {{"loadSession", loads}}}});
    open(read());
    const Json prompt = next_prompt();
    task_ = prompt["params"]["prompt"][0]["text"];
    work();
    if (mode_ == "choices") {
      answer(prompt, {{"stopReason", "end_turn"},
                      {"usage", {{"inputTokens", 30}, {"outputTokens", 4}, {"totalTokens", 34}}}});
    }
    answer(prompt, {{"stopReason", reason()}});
    // Until nobody listens any more.
    while (true) read();
  }

 private:
  [[noreturn]] static void sleep_for_good() {
    while (true) ::pause();
  }
  template <class Write>
  [[noreturn]] static void flood(const Write& write) {
    while (true) {
      write();
      std::cout.flush();
    }
  }

  Json wait_for(const std::string& method) {
    while (true) {
      Json message = read();
      if (message.value("method", "") == method) return message;
    }
  }
  static void answer(const Json& request, const Json& result) {
    say({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}});
  }
  // Until then, what is chosen is remembered.
  Json next_prompt() {
    while (true) {
      Json message = read();
      const std::string method = message.value("method", "");
      if (method == "session/prompt") return message;
      chosen_ += method + " " + message["params"].dump() + "\n";
      if (message.contains("id")) answer(message, Json::object());
    }
  }
  void open(const Json& request) {
    folder_ = request["params"]["cwd"];
    is_loaded_ = request.value("method", "") == "session/load";
    if (is_loaded_) {
      chunk("said before");
      return answer(request, Json::object());
    }
    if (mode_ == "choices") {
      servers_ = request["params"]["mcpServers"].dump();
      const Json options = Json::array(
          {{{"value", "m-big"}, {"name", "Big"}}, {{"value", "m-small"}, {"name", "Small"}}});
      return answer(request,
                    {{"sessionId", "s1"},
                     {"configOptions", Json::array({{{"id", "the-model"},
                                                     {"category", "model"},
                                                     {"type", "select"},
                                                     {"currentValue", "m-big"},
                                                     {"options", options}}})},
                     {"modes",
                      {{"currentModeId", "free"},
                       {"availableModes", Json::array({{{"id", "free"}}, {{"id", "ask"}}})}}}});
    }
    if (mode_ == "auth") {
      say({{"jsonrpc", "2.0"},
           {"id", request["id"]},
           {"error", {{"code", -32000}, {"message", "Authentication required"}}}});
      sleep_for_good();
    }
    answer(request, {{"sessionId", "s1"}});
  }
  [[nodiscard]] std::string reason() const {
    if (mode_ == "refuse") return "refusal";
    if (mode_ == "cancel") return "cancelled";
    if (cancelled_) return "cancelled";
    return mode_ == "tired" ? "max_tokens" : "end_turn";
  }

  void update(const Json& what) {
    say({{"jsonrpc", "2.0"},
         {"method", "session/update"},
         {"params", {{"sessionId", "s1"}, {"update", what}}}});
  }
  void chunk(const std::string& text) {
    update({{"sessionUpdate", "agent_message_chunk"},
            {"content", {{"type", "text"}, {"text", text}}}});
  }
  /// The answer to a request of ours.
  Json ask(const std::string& method, Json params) {
    params["sessionId"] = "s1";
    const std::string id = "a" + std::to_string(++asked_);
    say({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
    while (true) {
      Json message = read();
      if (message.value("id", Json()) == id) return message;
    }
  }
  std::string permission(const std::string& kind, const std::string& path) {
    const Json options =
        Json::array({{{"optionId", "yes"}, {"name", "Allow"}, {"kind", "allow_once"}},
                     {{"optionId", "no"}, {"name", "Reject"}, {"kind", "reject_once"}}});
    Json call{{"toolCallId", "t1"}, {"title", kind + " " + path}, {"kind", kind}};
    if (kind == "execute") call["rawInput"] = {{"command", "git push origin"}};
    if (kind != "execute") call["locations"] = Json::array({{{"path", path}}});
    return ask("session/request_permission",
               {{"toolCall", call}, {"options", options}})["result"]["outcome"]
        .value("optionId", "none");
  }

  void work() {
    if (mode_ == "die") std::_Exit(7);
    if (mode_ == "hang") sleep_for_good();
    if (mode_ == "updates") flood([this] { chunk("and on "); });
    if (mode_ == "cancel") {
      chunk("waiting");
      wait_for("session/cancel");
      return;
    }
    if (mode_ == "outside") return work_outside();
    if (mode_ == "asks") return work_with_consent();
    if (mode_ == "choices") return report_choices();
    work_well();
  }

  void work_well() {
    update({{"sessionUpdate", "agent_thought_chunk"},
            {"content", {{"type", "text"}, {"text", "hm"}}}});
    chunk("I begin. ");
    update({{"sessionUpdate", "plan"},
            {"entries", Json::array({{{"content", "Edit"}, {"status", "in_progress"}},
                                     {{"content", "Test"}, {"status", "pending"}}})}});
    update({{"sessionUpdate", "tool_call"}, {"toolCallId", "t0"}, {"title", "Edit a.txt"}});
    std::ifstream given(folder_ + "/a.txt");
    std::string first;
    std::getline(given, first);
    std::ofstream(folder_ + "/c.txt") << first << " " << task_;
    update({{"sessionUpdate", "tool_call_update"}, {"toolCallId", "t0"}, {"status", "completed"}});
    chunk("inside " + permission("edit", folder_ + "/a.txt") + ", outside " +
          permission("edit", "/etc/passwd") + ", fetch " + permission("fetch", folder_));
  }

  // What the client is not to offer.
  void work_outside() {
    std::string refused;
    for (const char* method : {"fs/read_text_file", "fs/write_text_file", "terminal/create"}) {
      refused += ask(method, {{"path", folder_ + "/a.txt"}, {"content", "x"}}).contains("error")
                     ? "refused "
                     : "DONE ";
    }
    chunk(refused);
  }

  // Works before it asks, and goes on in its session with the answer.
  void work_with_consent() {
    std::ofstream(folder_ + "/log.txt", std::ios::app)
        << (is_loaded_ ? "again: " : "first: ") << task_ << "\n";
    const std::string outcome = permission("execute", "");
    if (outcome == "yes") std::ofstream(folder_ + "/pushed.txt") << "pushed\n";
    if (outcome == "none") cancelled_ = true;
    if (cancelled_) wait_for("session/cancel");
    chunk("outcome " + outcome);
  }

  void report_choices() {
    update({{"sessionUpdate", "usage_update"},
            {"used", 10},
            {"size", 100},
            {"cost", {{"amount", 0.25}, {"currency", "USD"}}}});
    chunk(chosen_ + servers_);
  }

  const std::string mode_;
  std::string folder_{};
  std::string task_{};
  std::string chosen_{};
  std::string servers_{};
  bool is_loaded_ = false;
  bool cancelled_ = false;
  int asked_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return Agent(argc > 1 ? argv[1] : "good").run(); }
