#include "crash/server/ledger_client.h"

#include <chrono>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/monitor.h"
#include "model/document_json.h"

namespace clever::server::crash {
namespace {

using model::Document;

constexpr std::chrono::milliseconds kRest{5};

}  // namespace

LedgerClient::LedgerClient(const ServerVictim& server, Ledger& ledger, std::size_t number,
                           base::StopToken stop)
    : server_(server), ledger_(ledger), number_(number), stop_(std::move(stop)) {}

void LedgerClient::run() {
  for (std::size_t i = 0; !stop_.stop_requested(); ++i) {
    const std::string name = "c" + std::to_string(number_) + "n" + std::to_string(i) + "e";
    if ((number_ + i) % 2 == 0) {
      converse(name);
    } else {
      have_approved(name);
    }
  }
}

void LedgerClient::rest() {
  base::SystemClock clock;
  base::Monitor<bool> never;
  static_cast<void>(never.wait(stop_, base::Deadline::after(clock, kRest),
                               [](const bool& value) { return value; }));
}

std::optional<Document> LedgerClient::post(const std::string& path, const std::string& body) {
  const std::string key =
      "Idempotency-Key: c" + std::to_string(number_) + "k" + std::to_string(++keys_) + "\r\n";
  std::optional<Reply> reply;
  while (!(reply = server_.ask("POST", path, key, body))) {
    if (stop_.stop_requested()) return std::nullopt;
    rest();
  }
  if (reply->status == 200 || reply->status == 201) {
    return model::parse_document(reply->body).value();
  }
  ledger_.write([&](Entries& entries) {
    // 409: it was begun before the server died, and its outcome is not known.
    if (reply->status == 409) {
      ++entries.unknown;
    } else {
      entries.strange.push_back(path + ": " + reply->body);
    }
  });
  return std::nullopt;
}

std::optional<Document> LedgerClient::get(const std::string& path) {
  while (!stop_.stop_requested()) {
    const auto reply = server_.ask("GET", path);
    if (reply && reply->status == 200) return model::parse_document(reply->body).value();
    rest();
  }
  return std::nullopt;
}

bool LedgerClient::wait_for(const std::string& plan, std::string_view state) {
  while (const auto status = get("/v1/plans/" + plan)) {
    if (text_of(*status, "state") == state) return true;
    rest();
  }
  return false;
}

void LedgerClient::converse(const std::string& name) {
  const auto session = post("/v1/sessions", R"({"name":")" + name + "\"}");
  if (!session) return;
  const std::string id = text_of(*session, "id");
  ledger_.write([&](Entries& entries) { entries.messages[id] = {}; });
  // Both at once would be one turn of the model, which then only speaks.
  if (tell(id, "write " + name)) tell(id, "speak " + name);
}

bool LedgerClient::tell(const std::string& session, const std::string& text) {
  const auto told = post("/v1/sessions/" + session + "/messages", R"({"text":")" + text + "\"}");
  if (!told) return false;
  const std::string plan = text_of(*told, "plan_id");
  ledger_.write([&](Entries& entries) {
    entries.messages[session].push_back(text);
    if (text.starts_with("write")) entries.plans[plan] = text;
  });
  return wait_for(plan, "complete");
}

void LedgerClient::have_approved(const std::string& name) {
  const auto made =
      post("/v1/plans", R"({"task":"write )" + name + R"(","direct":true,"profile":"manual"})");
  if (!made) return;
  const std::string plan = text_of(*made, "plan_id");
  ledger_.write([&](Entries& entries) { entries.plans[plan] = "write " + name; });
  if (!wait_for(plan, "waiting") || !answer(plan) || !wait_for(plan, "complete")) return;
  const std::string text = "speak " + name;
  if (!post("/v1/plans/" + plan + "/prompt", R"({"text":")" + text + "\"}")) return;
  ledger_.write([&](Entries& entries) { entries.prompts[plan].push_back(text); });
  wait_for(plan, "complete");
}

// True if it is known to be approved: perhaps by an answer that was lost.
bool LedgerClient::answer(const std::string& plan) {
  const auto inbox = get("/v1/inbox?limit=1000");
  if (!inbox) return false;
  for (const Document& approval : std::get<Document::List>(inbox->find("approvals")->value())) {
    if (text_of(approval, "plan_id") != plan) continue;
    const auto answered =
        post("/v1/inbox/" + text_of(approval, "id"),
             R"({"answer":"approve","digest":")" + text_of(approval, "digest") + "\"}");
    if (!answered) return false;
  }
  ledger_.write([&](Entries& entries) { entries.approvals[plan] = 1; });
  return true;
}

}  // namespace clever::server::crash
