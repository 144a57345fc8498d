#include "sim/server/server_sim.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "model/plan_events.h"
#include "sim/server/server_tasks.h"
#include "storage/journal_verify.h"

namespace clever::sim {
namespace {

using Answer = ClientMessage::Answer;

constexpr std::size_t kMostSteps = 20'000;
constexpr int kClients = 4;
constexpr int kMessages = 3;
constexpr std::size_t kAll = 1000;
constexpr std::size_t kWorkers = 2;

/// A server with the work that it has begun.
struct Server {
  explicit Server(ServerGround& ground) : life(ground) { read_settings(ground, life); }
  ServerLife life;
  std::vector<std::unique_ptr<ServerTask>> tasks{};
  std::size_t workers = 0;
  std::size_t deliverers = 0;
};

/// One that sends messages one after another, each until it is answered.
struct Client {
  storage::SessionId session{};
  std::deque<std::string> texts{};
  /// The one under way, and the server that has it.
  std::shared_ptr<ClientMessage> message{};
  const Server* server = nullptr;
};

class ServerSimulation {
 public:
  explicit ServerSimulation(const ServerSimOptions& options)
      : options_(options), ground_(options.seed) {
    for (int i = 0; i < 2; ++i) {
      ground_.sessions.emplace_back(ground_.ids.next());
      storage::Sessions(*ground_.engine)
          .add({.id = ground_.sessions.back(), .name = "s", .person = "ada", .project = "/p"})
          .value();
    }
    for (int i = 0; i < kClients; ++i) {
      Client client{.session = ground_.sessions[static_cast<std::size_t>(i) % 2]};
      for (int k = 0; k < kMessages; ++k) {
        client.texts.push_back("c" + std::to_string(i) + "m" + std::to_string(k));
      }
      clients_.push_back(std::move(client));
    }
    servers_.push_back(std::make_unique<Server>(ground_));
  }

  ServerSimOutcome run() {
    while (outcome_.steps < kMostSteps && !is_over()) {
      ++outcome_.steps;
      ground_.database.clock().advance(std::chrono::milliseconds(1));
      disturb();
      begin_something();
      go_on(*servers_[ground_.random.below(servers_.size())]);
    }
    if (outcome_.steps >= kMostSteps) ground_.violate("it does not come to an end");
    check();
    outcome_.acknowledged = ground_.acknowledged.size();
    outcome_.unknown = ground_.unknown;
    outcome_.notices = ground_.delivered.size();
    outcome_.violations = ground_.violations;
    return std::move(outcome_);
  }

 private:
  // ---- What happens ----

  bool is_over() {
    const bool told = std::ranges::all_of(clients_, [](const Client& client) {
      return client.texts.empty() && client.message == nullptr;
    });
    const bool idle =
        std::ranges::all_of(servers_, [](const auto& server) { return server->tasks.empty(); });
    return told && idle && no_jobs("default") && no_jobs("notices");
  }
  bool no_jobs(const std::string& queue) {
    return servers_.front()->life.jobs.counts(queue).value() == worker::Counts{};
  }

  void begin_something() {
    Server& server = *servers_.back();
    Client& client = clients_[ground_.random.below(clients_.size())];
    listen(client);
    if (client.message == nullptr && !client.texts.empty()) {
      client.message = std::make_shared<ClientMessage>(
          ClientMessage{.session = client.session, .text = client.texts.front()});
      send(client, server);
    }
    if (settings_ < options_.settings && ground_.random.below(20) == 0) {
      ++settings_;
      server.tasks.push_back(change_settings(ground_, server.life));
    }
    if (server.tasks.size() >= kClients + 2 * kWorkers) return;
    if (ground_.random.below(3) == 0) server.tasks.push_back(drive_a_plan(ground_, server.life));
    if (ground_.random.below(3) == 0) {
      server.tasks.push_back(deliver_a_notice(ground_, server.life));
    }
    // Waits of failed jobs and leases of stopped servers end.
    if (ground_.random.below(10) == 0) {
      ground_.database.clock().advance(std::chrono::milliseconds(500));
    }
  }

  void send(Client& client, Server& server) {
    client.server = &server;
    client.message->answer = Answer::kNone;
    server.tasks.push_back(take_message(ground_, server.life, client.message, options_.job_apart));
  }

  // What the client makes of its answer.
  void listen(Client& client) {
    if (client.message == nullptr || client.message->answer == Answer::kNone) return;
    if (client.message->answer == Answer::kBusy) return send(client, *servers_.back());
    if (client.message->answer == Answer::kDone) {
      ground_.acknowledged[client.message->text] = client.message->plan;
    } else {
      ++ground_.unknown;
    }
    client.message.reset();
    client.texts.pop_front();
  }

  void go_on(Server& server) {
    if (server.tasks.empty()) return;
    const auto at = server.tasks.begin() +
                    static_cast<std::ptrdiff_t>(ground_.random.below(server.tasks.size()));
    // A call by the settings of that moment.
    const int version = settings_in_force(server.life);
    if (version < server.life.settings_seen) ground_.violate("the settings went backwards");
    server.life.settings_seen = version;
    if (!(*at)->step()) server.tasks.erase(at);
  }

  void disturb() {
    if (crashes_ < options_.crashes && ground_.random.below(30) == 0) {
      ++crashes_;
      crash(ground_.random.below(servers_.size()));
    }
  }

  void crash(std::size_t number) {
    const auto owner = servers_[number]->life.owner.owner().id;
    const Server* gone = servers_[number].get();
    servers_.erase(servers_.begin() + static_cast<std::ptrdiff_t>(number));
    if (servers_.empty()) servers_.push_back(std::make_unique<Server>(ground_));
    static_cast<void>(servers_.back()->life.jobs.expire_owner(owner).value());
    for (Client& client : clients_) {
      if (client.message == nullptr || client.server != gone) continue;
      listen(client);
      // The connection broke before the answer: the same once more.
      if (client.message != nullptr) {
        client.message = std::make_shared<ClientMessage>(*client.message);
        send(client, *servers_.back());
      }
    }
  }

  // ---- What must hold in the end ----

  void check() {
    for (const storage::SessionId& session : ground_.sessions) check_session(session);
    check_work();
    const auto verdict = storage::JournalVerify(*ground_.engine)
                             .verify_all([](std::string_view, std::uint64_t, std::uint64_t) {});
    if (!verdict.ok() || !verdict->sound()) ground_.violate("the journals are not sound");
  }

  void check_session(const storage::SessionId& session) {
    const auto messages = storage::Sessions(*ground_.engine).messages(session, 0, kAll).value();
    std::set<std::string> texts;
    std::map<char, std::string> last;  // of each client
    std::int64_t number = 0;
    for (const auto& message : messages) {
      if (message.number != ++number) ground_.violate("a session has a gap");
      if (!texts.insert(message.text).second) ground_.violate("said twice: " + message.text);
      if (message.text < last[message.text[1]]) ground_.violate("out of order: " + message.text);
      last[message.text[1]] = message.text;
      const auto told = ground_.acknowledged.find(message.text);
      if (told != ground_.acknowledged.end() && told->second != message.plan.to_string()) {
        ground_.violate("another plan works on " + message.text);
      }
      if (message.plan) plans_[message.plan.to_string()] = session;
    }
    for (const auto& [text, plan] : ground_.acknowledged) {
      if (plans_.contains(plan) && plans_[plan] == session && !texts.contains(text)) {
        ground_.violate("lost: " + text);
      }
    }
  }

  void check_read(const model::PlanId& plan) {
    for (const auto& command : storage::Inbox(*ground_.engine).pending(plan).value()) {
      ground_.violate("nobody works on " + command.key);
    }
  }

  // Each message that was acknowledged is worked on once, by its own plan, and no other twice; each
  // work is told of.
  void check_work() {
    std::map<std::string, std::size_t> done;
    std::set<std::string> notices;
    storage::Journal journal(*ground_.engine, ground_.database.clock());
    for (const auto& event : journal.read_all(0, 100'000).value()) {
      if (event.kind == model::PlanCreated::kKind) check_read(event.plan);
      if (event.kind != "note") continue;
      // {"text":"c1m2"}
      const std::string text = event.data.substr(9, event.data.size() - 11);
      ++done[text];
      notices.insert(event.plan.to_string() + "." + std::to_string(event.sequence));
      const auto told = ground_.acknowledged.find(text);
      if (told != ground_.acknowledged.end() && told->second != event.plan.to_string()) {
        ground_.violate("another plan worked on " + text);
      }
    }
    for (const auto& [text, count] : done) {
      if (count != 1) ground_.violate("done " + std::to_string(count) + " times: " + text);
    }
    for (const auto& [text, plan] : ground_.acknowledged) {
      if (!done.contains(text)) ground_.violate("acknowledged and not done: " + text);
    }
    for (const std::string& notice : notices) {
      if (!ground_.delivered.contains(notice)) ground_.violate("never told: " + notice);
    }
    if (notices.size() != ground_.delivered.size()) ground_.violate("told of what never was");
  }

  const ServerSimOptions options_;
  ServerGround ground_;
  std::vector<Client> clients_;
  // The last one takes requests.
  std::vector<std::unique_ptr<Server>> servers_;
  std::map<std::string, storage::SessionId> plans_;
  int crashes_ = 0;
  int settings_ = 0;
  ServerSimOutcome outcome_;
};

}  // namespace

ServerSimOutcome simulate_server(const ServerSimOptions& options) {
  return ServerSimulation(options).run();
}

}  // namespace clever::sim
