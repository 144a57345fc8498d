#include "server/event_sources.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "service/plan/event_document.h"
#include "storage/keys.h"

namespace clever::server {
namespace {

using model::Document;

// A reader that is behind by up to this many events gets them one by one; one that is further
// behind gets a snapshot.
constexpr std::int64_t kMostBehind = 50'000;
// Among the last events, some may become visible after later ones.
constexpr std::int64_t kLate = 1000;
constexpr std::size_t kMostPlans = 1000;
// The number of plans for which it remembers whether the reader may see them.
constexpr std::size_t kMostRemembered = 100'000;

Document plan_place(const storage::PlanSummary& plan) {
  return Document::map()
      .set("plan_id", plan.id.to_string())
      .set("phase", plan.phase)
      .set("state", plan.state)
      .set("sequence", plan.sequence);
}

}  // namespace

model::Timestamp now_by(base::Clock& clock) {
  return std::chrono::floor<std::chrono::microseconds>(clock.wall_now());
}

std::string PlanEvents::topic() const { return storage::plan_name(plan_); }

Document PlanEvents::hello() const {
  return Document::map().set("plan_id", plan_.to_string()).set("from", next_);
}

base::Result<EventSource::Page> PlanEvents::next(std::size_t limit) {
  CLEVER_ASSIGN(const auto events, journal_.read(plan_, next_, limit));
  Page page{.has_more = events.size() == limit};
  for (const model::StoredEvent& event : events) {
    page.events.push_back({std::to_string(event.sequence), service::event_document(event)});
    next_ = event.sequence + 1;
  }
  return page;
}

std::string AllEvents::topic() const { return std::string(storage::kEventsTopic); }

Document AllEvents::hello() const { return Document::map().set("after", cursor_.text()); }

base::Result<EventSource::Page> AllEvents::next(std::size_t limit) {
  Page page{.reset = std::exchange(reset_, std::nullopt)};
  // Reads events beyond a gap again and skips them.
  const std::size_t most = limit + cursor_.beyond();
  CLEVER_ASSIGN(const auto events, journal_.read_all(cursor_.low(), most));
  const model::Timestamp now = now_by(clock_);
  for (const model::StoredEvent& event : events) {
    if (!cursor_.take(event.position, event.time, now)) continue;
    CLEVER_ASSIGN(const bool shown, shows(event.plan));
    if (shown) page.events.push_back({cursor_.text(), service::event_document(event)});
  }
  page.has_more = events.size() == most;
  return page;
}

// Sends a snapshot if there are too many events.
base::Result<void> AllEvents::begin() {
  CLEVER_ASSIGN(const std::int64_t last, journal_.last_position());
  const bool fits = cursor_.low() <= last && last - cursor_.low() <= kMostBehind;
  if (!is_from_now_ && fits) return {};
  CLEVER_TRY(go_to_end(last));
  if (is_from_now_) return {};
  CLEVER_ASSIGN(reset_, snapshot());
  return {};
}

base::Result<void> AllEvents::go_to_end(std::int64_t last) {
  cursor_ = EventCursor(std::max<std::int64_t>(last - kLate, 0));
  CLEVER_ASSIGN(const auto events, journal_.read_all(cursor_.low(), kLate));
  const model::Timestamp now = now_by(clock_);
  for (const model::StoredEvent& event : events) cursor_.take(event.position, event.time, now);
  return {};
}

base::Result<EventSource::Item> AllEvents::snapshot() {
  Document plans = Document::list();
  CLEVER_ASSIGN(const auto newest, storage::Plans(store_).list({}, kMostPlans));
  for (const storage::PlanSummary& plan : newest) {
    CLEVER_ASSIGN(const bool seen, sees_(plan));
    if (seen) plans.push(plan_place(plan));
  }
  return Item{cursor_.text(), Document::map().set("plans", std::move(plans))};
}

base::Result<bool> AllEvents::shows(const model::PlanId& plan) {
  const auto known = shown_.find(plan);
  if (known != shown_.end()) return known->second;
  const auto summary = storage::Plans(store_).find(plan);
  if (!summary.ok() && summary.error().code() != base::ErrorCode::kNotFound) {
    return summary.error();
  }
  if (shown_.size() == kMostRemembered) shown_.clear();
  if (!summary.ok()) return shown_[plan] = false;
  CLEVER_ASSIGN(const bool seen, sees_(*summary));
  return shown_[plan] = seen;
}

}  // namespace clever::server
