#include "service/plan/audit_trail.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/actor/agent_actor.h"
#include "engine/agents/login_copies.h"
#include "model/control_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "model/message.h"
#include "model/work_events.h"

namespace clever::service {
namespace {

constexpr std::string_view kRejected = "not run: a person rejected it";
constexpr std::string_view kHook = "not run: the hook ";

/// Collects the trail of one plan, event by event.
class Trail {
 public:
  explicit Trail(const MessageOf& message) : message_(message) {}

  base::Result<std::vector<AuditEntry>> follow(const std::vector<model::StoredEvent>& events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const model::StoredEvent* next = i + 1 < events.size() ? &events[i + 1] : nullptr;
      CLEVER_TRY(read(events[i], next));
    }
    return std::move(entries_);
  }

 private:
  void add(const model::StoredEvent& event, std::string what, std::string subject,
           std::string detail, std::string by = {}) {
    entries_.push_back({event.plan, event.sequence, event.time, std::move(what), std::move(subject),
                        std::move(detail), std::move(by)});
  }

  base::Result<void> read(const model::StoredEvent& event, const model::StoredEvent* next) {
    if (event.kind == model::ApprovalRequested::kKind) return asked(event);
    if (event.kind == model::ApprovalGiven::kKind) return given(event, next);
    if (event.kind == model::EffectRequested::kKind) return refused(event);
    if (event.kind == model::MessageAdded::kKind) return results(event);
    if (event.kind == model::DecisionRecorded::kKind) return decided(event);
    if (event.kind == model::PlanCorrected::kKind) return corrected(event);
    if (event.kind == model::ApplyRequested::kKind) return apply(event);
    if (event.kind == model::ApplyEnded::kKind) return ended(event);
    if (event.kind == model::ApplyUndone::kKind) return undone(event);
    return {};
  }

  base::Result<void> asked(const model::StoredEvent& event) {
    CLEVER_ASSIGN(asked_, model::ApprovalRequested::parse(event.data));
    if (is_rest_) {
      is_rest_ = false;
      return {};
    }
    for (const model::ApprovalItem& item : asked_->items) {
      add(event, "asked", item.what, item.why);
    }
    return {};
  }

  // A request that follows at once has not been answered yet.
  base::Result<void> given(const model::StoredEvent& event, const model::StoredEvent* next) {
    CLEVER_ASSIGN(const auto given, model::ApprovalGiven::parse(event.data));
    if (!asked_) return {};
    std::vector<model::ApprovalItem> left;
    is_rest_ = next != nullptr && next->kind == model::ApprovalRequested::kKind;
    if (is_rest_) {
      CLEVER_ASSIGN(const auto rest, model::ApprovalRequested::parse(next->data));
      left = rest.items;
    }
    for (const model::ApprovalItem& item : asked_->items) {
      if (std::ranges::find(left, item) != left.end()) continue;
      const bool rejected = std::ranges::find(given.rejected, item.id) != given.rejected.end();
      add(event, rejected ? "rejected" : "approved", item.what, given.reason, given.by);
    }
    return {};
  }

  // Denied by rules and guards; rejections by a person are listed above.
  base::Result<void> refused(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto requested, model::EffectRequested::parse(event.data));
    if (requested.kind != "tools.run") return {};
    const auto data = nlohmann::json::parse(requested.data, nullptr, false);
    const auto calls = data.is_object() ? data.find("calls") : data.end();
    if (calls == data.end() || !calls->is_array()) return {};
    for (const auto& call : *calls) {
      if (!call.is_object()) continue;
      const std::string id = call.value("id", "");
      const std::string why = call.value("refused", "");
      tools_[id] = call.value("name", "");
      if (why.empty() || why.starts_with(kRejected) || id + why == last_refused_) continue;
      last_refused_ = id + why;
      add(event, "denied", tools_[id], why);
    }
    return {};
  }

  base::Result<void> results(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto added, model::MessageAdded::parse(event.data));
    if (added.why != model::MessageWhy::kResults) return {};
    const auto message = message_(added.body);
    // If a cleanup removed the texts, the rest is still shown.
    if (!message) return {};
    for (const model::Part& part : message->parts) blocked(event, part);
    return {};
  }

  void blocked(const model::StoredEvent& event, const model::Part& part) {
    const auto* result = std::get_if<model::ToolResult>(&part);
    if (result == nullptr || !result->failed) return;
    for (const auto& content : result->content) {
      const auto* text = std::get_if<model::Text>(&content);
      if (text != nullptr && text->text.starts_with(kHook)) {
        add(event, "blocked", tools_[result->call], text->text);
      }
    }
  }

  base::Result<void> decided(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto decision, model::DecisionRecorded::parse(event.data));
    using enum model::DecisionKind;
    if (decision.kind == kInvariantEnforced) {
      add(event, "invariant", decision.chosen, decision.rationale);
    }
    if (decision.kind == kResourceSelection && decision.question == engine::kLoginQuestion) {
      add(event, "login", decision.chosen, "");
    }
    if (decision.kind == kToolInvocation && decision.question == engine::kRefusedQuestion) {
      add(event, "refused", decision.chosen, decision.rationale);
    }
    if (decision.kind == kUserIntervention) add(event, "said", decision.chosen, "");
    return {};
  }

  base::Result<void> corrected(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto correction, model::PlanCorrected::parse(event.data));
    add(event, "corrected", "decision " + correction.decision.to_string(),
        std::string(model::to_string(correction.mode)));
    return {};
  }

  base::Result<void> apply(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto request, model::ApplyRequested::parse(event.data));
    std::string without;
    for (const std::string& name : request.without) without += (without.empty() ? "" : ", ") + name;
    add(event, "apply", "digest " + request.digest.to_hex(),
        "asked for" + (without.empty() ? "" : ", without validation " + without), request.by);
    return {};
  }

  base::Result<void> ended(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto end, model::ApplyEnded::parse(event.data));
    add(event, end.applied ? "applied" : "constrained", "digest " + end.digest.to_hex(),
        end.applied ? end.commit : end.reason);
    return {};
  }

  base::Result<void> undone(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto undone, model::ApplyUndone::parse(event.data));
    add(event, "undone", "digest " + undone.digest.to_hex(), undone.commit, undone.by);
    return {};
  }

  const MessageOf& message_;
  std::vector<AuditEntry> entries_;
  std::optional<model::ApprovalRequested> asked_;
  /// The next request holds the remaining items of the last one.
  bool is_rest_ = false;
  /// A held call is requested again when it runs.
  std::string last_refused_;
  /// The tools of the calls so far, by the calls' ids.
  std::map<std::string, std::string> tools_;
};

}  // namespace

base::Result<std::vector<AuditEntry>> audit_trail(const std::vector<model::StoredEvent>& events,
                                                  const MessageOf& message) {
  return Trail(message).follow(events);
}

}  // namespace clever::service
