#include "sim/server/server_tasks.h"

#include <chrono>
#include <ranges>
#include <utility>
#include <variant>

#include "base/number.h"
#include "model/plan_events.h"

namespace clever::sim {
namespace {

using model::PlanId;

constexpr std::chrono::minutes kTtl{1};
constexpr std::size_t kAllMessages = 1000;
constexpr const char* kNotices = "notices";

worker::NewJob job_of(const PlanId& plan) {
  return {.body = plan.to_string(), .concurrency = plan.to_string(), .max_attempts = 1000};
}

class MessageTask final : public ServerTask {
 public:
  MessageTask(ServerGround& ground, ServerLife& life, std::shared_ptr<ClientMessage> message,
              bool job_apart)
      : ground_(ground), life_(life), message_(std::move(message)), job_apart_(job_apart) {}

  bool step() override {
    switch (step_++) {
      case 0:
        return begin();
      case 1:
        said_ = storage::Sessions(*ground_.engine)
                    .say(message_->session, "ada", message_->text)
                    .value();
        return true;
      case 2:
        choose_plan();
        return true;
      case 3:
        send();
        return true;
      case 4:
        if (job_apart_) life_.jobs.enqueue(job_of(plan_)).value();
        return true;
      case 5:
        storage::Sessions(*ground_.engine).set_plan(message_->session, said_.number, plan_).value();
        return true;
      case 6:
        claim_->settle({.body = plan_.to_string()}).value();
        return true;
      case kGone + 1:
        return false;
      default:
        message_->plan = plan_.to_string();
        message_->answer = ClientMessage::Answer::kDone;
        return false;
    }
  }

 private:
  bool begin() {
    auto begun = life_.receipts.begin(message_->text, message_->text);
    if (!begun.ok()) {
      const bool busy = begun.error().message().contains("still in progress");
      message_->answer = busy ? ClientMessage::Answer::kBusy : ClientMessage::Answer::kUnknown;
      return false;
    }
    if (auto* kept = std::get_if<http::Response>(&*begun)) {
      message_->plan = kept->body;
      message_->answer = ClientMessage::Answer::kDone;
      return false;
    }
    claim_.emplace(std::get<server::Receipts::Claim>(*std::move(begun)));
    return true;
  }

  // The newest plan of the session takes it; there may be none yet.
  void choose_plan() {
    const auto messages =
        storage::Sessions(*ground_.engine).messages(message_->session, 0, kAllMessages).value();
    for (const auto& message : messages | std::views::reverse) {
      if (!message.plan) continue;
      plan_ = message.plan;
      return;
    }
    plan_ = PlanId(ground_.ids.next());
    is_new_ = true;
    lease_ = storage::Leases(*ground_.engine).acquire(plan_, life_.owner, kTtl).value();
  }

  void send() {
    storage::UnitOfWork unit;
    if (is_new_) {
      storage::Append append{.plan = plan_, .epoch = lease_.epoch};
      append.events = {model::PlanCreated{}.to_event()};
      append.also =
          storage::Inbox::early_statements(plan_, message_->text, "\"" + message_->text + "\"");
      unit = storage::Journal(*ground_.engine, ground_.database.clock())
                 .prepare(std::move(append))
                 .value()
                 .unit;
      storage::Leases::add_release(unit, lease_, life_.owner);
    } else {
      storage::Inbox::add(unit, plan_, message_->text, "\"" + message_->text + "\"");
    }
    if (!job_apart_) worker::add_enqueue(unit, job_of(plan_)).value();
    const auto done = ground_.engine->commit(std::move(unit));
    if (done.ok()) return;
    // Its lease expired while it was stopped: there is no such plan.
    message_->answer = ClientMessage::Answer::kUnknown;
    step_ = kGone + 1;
  }

  static constexpr int kGone = 100;
  ServerGround& ground_;
  ServerLife& life_;
  const std::shared_ptr<ClientMessage> message_;
  const bool job_apart_;
  int step_ = 0;
  std::optional<server::Receipts::Claim> claim_;
  storage::SessionMessage said_;
  PlanId plan_;
  storage::Lease lease_;
  bool is_new_ = false;
};

class PlanTask final : public ServerTask {
 public:
  PlanTask(ServerGround& ground, ServerLife& life)
      : ground_(ground), life_(life), journal_(*ground.engine, ground.database.clock()) {}

  bool step() override {
    switch (step_) {
      case 0:
        return claim();
      case 1:
        return acquire();
      case 2:
        return work();
      case 3:
        // Lost: another has it, and what it writes counts.
        static_cast<void>(storage::Leases(*ground_.engine).release(lease_, life_.owner));
        step_ = 4;
        return true;
      default:
        static_cast<void>(life_.jobs.complete("default", {job_.lease}));
        return false;
    }
  }

 private:
  bool claim() {
    auto jobs = life_.jobs.claim({.owner = life_.owner.owner().id, .thorough = true}).value();
    if (jobs.empty()) return false;
    job_ = std::move(jobs.front());
    plan_ = PlanId::parse(job_.body).value();
    step_ = 1;
    return true;
  }

  bool acquire() {
    auto lease = storage::Leases(*ground_.engine).acquire(plan_, life_.owner, kTtl);
    if (!lease.ok()) {
      static_cast<void>(life_.jobs.fail(
          "default", {job_.lease, lease.error().sentence(), std::chrono::seconds(1)}));
      return false;
    }
    lease_ = *std::move(lease);
    head_ = journal_.load(plan_).value().state.head;
    step_ = 2;
    return true;
  }

  // One command: its event, its notice and its end in one transaction.
  bool work() {
    const auto pending = storage::Inbox(*ground_.engine).pending(plan_, 1).value();
    if (pending.empty()) {
      step_ = 3;
      return true;
    }
    const storage::Command& command = pending.front();
    storage::Append append{.plan = plan_, .expected = head_, .epoch = lease_.epoch};
    append.events = {{.kind = "note", .data = R"({"text":")" + command.key + "\"}"}};
    append.consumed = {{.command = command.id}};
    auto prepared = journal_.prepare(std::move(append)).value();
    const std::string id = plan_.to_string() + "." + std::to_string(prepared.head.sequence);
    worker::add_enqueue(prepared.unit, {.queue = kNotices, .body = id, .max_attempts = 1000})
        .value();
    const auto done = ground_.engine->commit(std::move(prepared.unit));
    if (!done.ok()) {
      step_ = 3;
      return true;
    }
    head_ = prepared.head;
    return true;
  }

  ServerGround& ground_;
  ServerLife& life_;
  storage::Journal journal_;
  int step_ = 0;
  worker::Job job_;
  PlanId plan_;
  storage::Lease lease_;
  storage::Head head_;
};

class NoticeTask final : public ServerTask {
 public:
  NoticeTask(ServerGround& ground, ServerLife& life) : ground_(ground), life_(life) {}

  bool step() override {
    if (!job_) {
      auto jobs =
          life_.jobs.claim({.queue = kNotices, .owner = life_.owner.owner().id, .thorough = true})
              .value();
      if (!jobs.empty()) job_ = std::move(jobs.front());
      return job_.has_value();
    }
    if (!std::exchange(is_delivered_, true)) {
      ++ground_.delivered[job_->body];
      return true;
    }
    static_cast<void>(life_.jobs.complete(kNotices, {job_->lease}));
    return false;
  }

 private:
  ServerGround& ground_;
  ServerLife& life_;
  std::optional<worker::Job> job_;
  bool is_delivered_ = false;
};

class SettingsTask final : public ServerTask {
 public:
  SettingsTask(ServerGround& ground, ServerLife& life) : ground_(ground), life_(life) {}

  bool step() override {
    switch (step_++) {
      case 0:
        version_ = ++ground_.settings;
        return true;
      case 1:
        read_settings(ground_, life_);
        return true;
      default:
        ground_.settings_told = std::max(ground_.settings_told, version_);
        if (settings_in_force(life_) < version_)
          ground_.violate("settings that were taken are not in force");
        return false;
    }
  }

 private:
  ServerGround& ground_;
  ServerLife& life_;
  int step_ = 0;
  int version_ = 0;
};

}  // namespace

std::unique_ptr<ServerTask> take_message(ServerGround& ground, ServerLife& life,
                                         std::shared_ptr<ClientMessage> message, bool job_apart) {
  return std::make_unique<MessageTask>(ground, life, std::move(message), job_apart);
}
std::unique_ptr<ServerTask> drive_a_plan(ServerGround& ground, ServerLife& life) {
  return std::make_unique<PlanTask>(ground, life);
}
std::unique_ptr<ServerTask> deliver_a_notice(ServerGround& ground, ServerLife& life) {
  return std::make_unique<NoticeTask>(ground, life);
}
std::unique_ptr<ServerTask> change_settings(ServerGround& ground, ServerLife& life) {
  return std::make_unique<SettingsTask>(ground, life);
}

void read_settings(const ServerGround& ground, ServerLife& life) {
  provider::ProviderConfig config;
  config.endpoint = {.provider = "lab", .base_url = "https://example.com"};
  config.default_model = std::to_string(ground.settings);
  static_cast<void>(life.registry.reconfigure({.providers = {std::move(config)}}).value());
}

int settings_in_force(const ServerLife& life) {
  const auto lab = life.registry.snapshot()->find("lab");
  return lab == nullptr ? -1 : base::to_number<int>(lab->config().default_model).value_or(-1);
}

}  // namespace clever::sim
