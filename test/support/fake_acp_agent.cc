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
    answer(wait_for("initialize"), {{"protocolVersion", mode_ == "version" ? 2 : 1},
                                    {"agentCapabilities", Json::object()}});
    open(wait_for("session/new"));
    const Json prompt = wait_for("session/prompt");
    task_ = prompt["params"]["prompt"][0]["text"];
    work();
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
  void open(const Json& request) {
    folder_ = request["params"]["cwd"];
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
    const Json call{{"toolCallId", "t1"},
                    {"title", kind + " " + path},
                    {"kind", kind},
                    {"locations", Json::array({{{"path", path}}})}};
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
    work_well();
  }

  void work_well() {
    update({{"sessionUpdate", "agent_thought_chunk"},
            {"content", {{"type", "text"}, {"text", "hm"}}}});
    chunk("I begin. ");
    update({{"sessionUpdate", "tool_call"}, {"toolCallId", "t0"}, {"title", "Edit a.txt"}});
    const std::string read =
        ask("fs/read_text_file", {{"path", folder_ + "/a.txt"}})["result"]["content"];
    ask("fs/write_text_file", {{"path", folder_ + "/sub/b.txt"}, {"content", read + task_}});
    // With its own hands: the same files.
    std::ifstream written(folder_ + "/sub/b.txt");
    std::string first;
    std::getline(written, first);
    std::ofstream(folder_ + "/c.txt") << "seen " << first << "\n";
    const std::string back =
        ask("fs/read_text_file", {{"path", folder_ + "/c.txt"}})["result"]["content"];
    chunk("inside " + permission("edit", folder_ + "/a.txt") + ", outside " +
          permission("edit", "/etc/passwd") + ", fetch " + permission("fetch", folder_) + "; " +
          back);
  }

  void work_outside() {
    std::string refused;
    for (const std::string& path :
         {std::string("/etc/hostname"), folder_ + "/../beside.txt", folder_ + "/link/x"}) {
      const Json answer = ask("fs/write_text_file", {{"path", path}, {"content", "x"}});
      refused += answer.contains("error") ? "refused " : "WRITTEN ";
    }
    const Json read = ask("fs/read_text_file", {{"path", "/etc/passwd"}});
    refused += read.contains("error") ? "refused " : "READ ";
    const Json other = ask("terminal/create", {{"command", "sh"}});
    refused += other.contains("error") ? "refused" : "RUN";
    chunk(refused);
  }

  const std::string mode_;
  std::string folder_{};
  std::string task_{};
  int asked_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return Agent(argc > 1 ? argv[1] : "good").run(); }
