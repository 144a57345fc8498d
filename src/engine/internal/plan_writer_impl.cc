#include "engine/internal/plan_writer_impl.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/crash_point.h"
#include "base/plant.h"

namespace clever::engine {
namespace {

constexpr std::size_t kAtOnce = 64;

}  // namespace

PlanWriter::Impl::Impl(PlanStore& store, Scheduler& scheduler,
                       std::shared_ptr<base::Executor> executor, storage::Lease lease,
                       const storage::Head& head, plan::State state, Hooks hooks)
    : store_(store),
      scheduler_(scheduler),
      executor_(std::move(executor)),
      lease_(std::move(lease)),
      hooks_(std::move(hooks)),
      head_(head) {
  shared_.with([&](Shared& shared) {
    shared.state = std::make_shared<const plan::State>(std::move(state));
  });
}

std::uint64_t PlanWriter::Impl::submit(Submission submission, Done done) {
  std::uint64_t number = 0;
  bool schedule = false;
  std::optional<base::Error> closed;
  shared_.with([&](Shared& shared) {
    number = ++shared.last_number;
    closed = shared.closed;
    if (closed) return;
    ++shared.open;
    shared.queue.push_back({number, std::move(submission), std::move(done)});
    schedule = !std::exchange(shared.scheduled, true);
  });
  if (closed) done(*closed);
  if (schedule && !post([self = shared_from_this()] { self->work(); })) close();
  return number;
}

base::Error PlanWriter::Impl::closed_error() {
  return base::cancelled("this process no longer drives the plan");
}

bool PlanWriter::Impl::post(base::Task&& task) { return executor_->post(std::move(task)).ok(); }

void PlanWriter::Impl::work() {
  while (true) {
    Items items = take();
    if (items.empty() || begin(std::move(items))) return;
  }
}

PlanWriter::Impl::Items PlanWriter::Impl::take() {
  Items items;
  if (!again_.empty()) {
    const auto count = static_cast<std::ptrdiff_t>(alone_ ? 1 : again_.size());
    std::move(again_.begin(), again_.begin() + count, std::back_inserter(items));
    again_.erase(again_.begin(), again_.begin() + count);
    return items;
  }
  alone_ = false;
  shared_.with([&](Shared& shared) {
    while (!shared.queue.empty() && items.size() < kAtOnce) {
      items.push_back(std::move(shared.queue.front()));
      shared.queue.pop_front();
    }
    if (items.empty()) shared.scheduled = false;
  });
  return items;
}

bool PlanWriter::Impl::begin(Items items) {
  const auto now = std::chrono::floor<std::chrono::microseconds>(scheduler_.clock().wall_now());
  internal::AppendDraft draft(store_, state(), head_, lease_.epoch, {.now = now});
  std::vector<base::Result<Settled>> answers;
  for (const Item& item : items) {
    answers.push_back(draft.add(item.submission, item.allowance));
  }
  if (draft.empty()) {
    for (std::size_t i = 0; i < items.size(); ++i) tell(items[i], std::move(answers[i]));
    return false;
  }
  append(std::move(draft), std::move(items), std::move(answers));
  return true;
}

void PlanWriter::Impl::append(internal::AppendDraft draft, Items items,
                              std::vector<base::Result<Settled>> answers) {
  CLEVER_CHECK(writing_.empty(), "one append is on its way at a time");
  writing_ = std::move(items);
  answers_ = std::move(answers);
  wanted_ = draft.reservation();
  next_events_ = draft.take_events();
  next_state_ = draft.take_state();
  storage::Append append = draft.take_append();
  if (hooks_.amend) hooks_.amend(*next_state_, append);
  base::crash_point("engine.append");
  if (base::planted("writer.answers_and_stores_nothing")) return finish(head_);
  store_.append(std::move(append),
                [self = shared_from_this()](base::Result<storage::Head> appended) {
                  const auto task = [self, appended] { self->finish(appended); };
                  if (!self->post(task)) self->finish(appended);
                });
}

void PlanWriter::Impl::tell_all() {
  Items items = std::exchange(writing_, {});
  auto answers = std::exchange(answers_, {});
  for (std::size_t i = 0; i < items.size(); ++i) tell(items[i], std::move(answers[i]));
}

void PlanWriter::Impl::finish(const base::Result<storage::Head>& appended) {
  if (appended.ok()) {
    base::crash_point("engine.appended");
    committed(*appended);
  } else if (is_closed()) {
    lose(appended.error());
  } else {
    refused(appended.error());
  }
}

void PlanWriter::Impl::committed(const storage::Head& head) {
  head_ = head;
  pauses_ = 0;
  const auto state = std::move(next_state_);
  shared_.with([&](Shared& shared) { shared.state = state; });
  if (hooks_.committed && !is_closed()) hooks_.committed(state, next_events_);
  next_events_.clear();
  tell_all();
  if (!is_closed()) work();
}

void PlanWriter::Impl::tell(Item& item, base::Result<Settled> answer) {
  shared_.with([](Shared& shared) {
    CLEVER_CHECK(shared.open > 0, "a command is answered once");
    --shared.open;
  });
  item.done(std::move(answer));
}

void PlanWriter::Impl::withdraw(std::uint64_t number) {
  post([self = shared_from_this(), number] {
    Items withdrawn;
    const auto take_from = [&](Items& items) {
      const auto found = std::ranges::find(items, number, &Item::number);
      if (found == items.end()) return;
      withdrawn.push_back(std::move(*found));
      items.erase(found);
    };
    self->shared_.with([&](Shared& shared) { take_from(shared.queue); });
    take_from(self->again_);
    for (Item& item : withdrawn)
      self->tell(item, base::cancelled("withdrawn before it was written"));
  });
}

void PlanWriter::Impl::close() {
  Items items;
  shared_.with([&](Shared& shared) {
    if (!shared.closed) shared.closed = closed_error();
    items = std::exchange(shared.queue, {});
  });
  std::ranges::move(again_, std::back_inserter(items));
  again_.clear();
  alarm_.reset();
  for (Item& item : items) tell(item, closed_error());
}

std::shared_ptr<const plan::State> PlanWriter::Impl::state() const {
  return shared_.with([](const Shared& shared) { return shared.state; });
}

bool PlanWriter::Impl::is_idle() const {
  return shared_.with([](const Shared& shared) { return shared.open == 0; });
}

bool PlanWriter::Impl::is_closed() const {
  return shared_.with([](const Shared& shared) { return shared.closed.has_value(); });
}

}  // namespace clever::engine
