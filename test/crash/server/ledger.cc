#include "crash/server/ledger.h"

#include <algorithm>
#include <set>
#include <variant>

#include "model/document_json.h"

namespace clever::server::crash {
namespace {

using model::Document;
using Faults = std::vector<std::string>;

Document get(const ServerVictim& server, const std::string& path) {
  const auto reply = server.ask("GET", path);
  if (!reply || reply->status != 200) return {};
  return model::parse_document(reply->body).value();
}

Document::List list_of(const Document& document, std::string_view key) {
  const auto* found = document.find(key);
  const auto* value = found == nullptr ? nullptr : std::get_if<Document::List>(&found->value());
  return value == nullptr ? Document::List() : *value;
}

Document::List events_of(const ServerVictim& server, const std::string& plan) {
  return list_of(get(server, "/v1/plans/" + plan + "/events?limit=1000"), "events");
}

std::size_t count_of(const Document::List& events, std::string_view kind) {
  return static_cast<std::size_t>(std::ranges::count_if(
      events, [&](const Document& event) { return text_of(event, "kind") == kind; }));
}

// The acknowledged messages, in their order; between them may be others whose answer was lost.
void check_messages(const ServerVictim& server, const std::string& session,
                    const std::vector<std::string>& texts, Faults& faults) {
  std::vector<std::string> said;
  for (const Document& message : list_of(get(server, "/v1/sessions/" + session), "said")) {
    said.push_back(text_of(message, "text"));
  }
  auto from = said.begin();
  for (const std::string& text : texts) {
    from = std::find(from, said.end(), text);
    if (from == said.end()) return faults.push_back("session " + session + " lacks: " + text);
  }
  if (std::set(said.begin(), said.end()).size() != said.size()) {
    faults.push_back("session " + session + " has a message twice");
  }
}

}  // namespace

std::string text_of(const Document& document, std::string_view key) {
  const auto* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? "" : *text;
}

std::size_t Entries::size() const {
  std::size_t count = plans.size() + approvals.size();
  for (const auto& [session, texts] : messages) count += texts.size();
  for (const auto& [plan, texts] : prompts) count += texts.size();
  return count;
}

std::vector<std::string> missing_in(const ServerVictim& server, const Entries& entries) {
  Faults faults;
  for (const auto& [plan, task] : entries.plans) {
    if (text_of(get(server, "/v1/plans/" + plan), "task") != task) {
      faults.push_back("there is no plan " + plan + ": " + task);
    }
  }
  for (const auto& [session, texts] : entries.messages) {
    check_messages(server, session, texts, faults);
  }
  for (const auto& [plan, texts] : entries.prompts) {
    // The first prompt is the task.
    const auto count = count_of(events_of(server, plan), "plan.prompted");
    if (count != 1 + texts.size()) {
      faults.push_back(plan + " was prompted " + std::to_string(count) + " times");
    }
  }
  for (const auto& [plan, count] : entries.approvals) {
    const auto given = count_of(events_of(server, plan), "approval.given");
    if (given != count)
      faults.push_back(plan + " was approved " + std::to_string(given) + " times");
  }
  return faults;
}

std::vector<std::string> undone_in(const ServerVictim& server, const Entries& entries) {
  Faults faults;
  for (const auto& [plan, task] : entries.plans) {
    const Document status = get(server, "/v1/plans/" + plan);
    // Nobody may have answered the last ones.
    const bool asks = text_of(status, "state") == "waiting" && !entries.approvals.contains(plan);
    if (text_of(status, "state") != "complete" && !asks) {
      faults.push_back(plan + " is " + text_of(status, "state") + ": " + text_of(status, "reason"));
    }
    const auto runs = count_of(events_of(server, plan), "tools.ran");
    if (runs != (asks ? 0U : 1U)) {
      faults.push_back(plan + " wrote its file " + std::to_string(runs) + " times");
    }
  }
  std::set<std::string> tasks;
  for (const Document& plan : list_of(get(server, "/v1/plans?limit=1000"), "plans")) {
    if (tasks.insert(text_of(plan, "summary")).second) continue;
    faults.push_back("made twice: " + text_of(plan, "summary"));
  }
  return faults;
}

}  // namespace clever::server::crash
