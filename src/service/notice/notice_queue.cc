#include "service/notice/notice_queue.h"

#include <algorithm>
#include <iterator>

#include "engine/plan_hooks.h"
#include "model/document_json.h"
#include "worker/job_queue.h"

namespace clever::service {
namespace {

using model::Document;

// With the pauses between them, most of a day.
constexpr std::int64_t kMostDeliveries = 25;

void add_job(const Notice& notice, storage::Append& append) {
  storage::UnitOfWork unit;
  const auto ticket =
      worker::add_enqueue(unit, {.queue = std::string(kNoticeQueue),
                                 .body = to_body(notice),
                                 .key = "notice/" + notice.target + "/" + notice.id(),
                                 .max_attempts = kMostDeliveries});
  if (!ticket.ok()) return;  // unreachable: the queue has a name
  std::ranges::copy(unit.statements(), std::back_inserter(append.also));
  std::ranges::copy(unit.topics(), std::back_inserter(append.topics));
}

}  // namespace

std::string to_body(const Notice& notice) {
  return model::to_json(Document::map()
                            .set("event", notice.event)
                            .set("plan", notice.plan.to_string())
                            .set("sequence", notice.sequence)
                            .set("target", notice.target));
}

base::Result<Notice> parse_notice(std::string_view body) {
  CLEVER_ASSIGN(const Document document, model::parse_document(body));
  const auto text = [&document](std::string_view key) {
    const Document* found = document.find(key);
    const auto* value = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
    return value == nullptr ? std::string() : *value;
  };
  Notice notice{.event = text("event"), .target = text("target")};
  CLEVER_ASSIGN(notice.plan, model::PlanId::parse(text("plan")));
  const Document* found = document.find("sequence");
  const auto* sequence = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->value());
  if (sequence == nullptr) return base::corruption("the notice has no sequence");
  notice.sequence = *sequence;
  return notice;
}

void add_notices(const NoticeTargets& targets, const plan::State& after, storage::Append& append) {
  const NoticeTargets::All all = targets.all();
  if (all->empty()) return;
  std::int64_t sequence = after.sequence - std::ssize(append.events);
  for (const model::Event& event : append.events) {
    ++sequence;
    const std::string name(engine::plan_event_of(event.kind, event.data));
    if (name.empty() || (after.parent && name != "plan.waiting")) continue;
    for (const NoticeTarget& target : *all) {
      if (std::ranges::find(target.events, name) == target.events.end()) continue;
      add_job({.event = name, .plan = after.id, .sequence = sequence, .target = target.name},
              append);
    }
  }
}

}  // namespace clever::service
