// How the writer reacts when the database refuses an append.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "engine/internal/plan_writer_impl.h"

namespace clever::engine {
namespace {

using base::ErrorCode;
using Room = storage::Budgets::Room;

constexpr std::chrono::milliseconds kFirstPause{20};
constexpr unsigned kMostDoublings = 8;
// The number of pauses before the writer gives up: about 25 s in all, or half a second in a process
// that is stopping. (Each try against an absent PostgreSQL server takes half a minute more.)
constexpr unsigned kMostPauses = 12;
constexpr unsigned kPausesInAHurry = 5;
constexpr int kMostContradictions = 3;

bool is_refusal(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConflict:
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kResourceExhausted:
    case ErrorCode::kNotFound:
      return true;
    default:
      return false;
  }
}

}  // namespace

void PlanWriter::Impl::refused(const base::Error& error) {
  Items items = std::exchange(writing_, {});
  answers_.clear();
  next_events_.clear();
  next_state_.reset();
  const bool no_room = error.code() == ErrorCode::kResourceExhausted && !wanted_;
  if (error.code() == ErrorCode::kUnavailable || no_room) {
    once_more(std::move(items), alone_);
    return pause(error);
  }
  if (!is_refusal(error.code())) {
    writing_ = std::move(items);
    return lose(error);
  }
  if (items.size() > 1) {
    once_more(std::move(items), true);
    return work();
  }
  if (error.code() == ErrorCode::kResourceExhausted) return ask_for_money(std::move(items.front()));
  if (error.code() == ErrorCode::kConflict) return ask_for_journal(std::move(items.front()), error);
  refuse_one(std::move(items.front()), error);
}

void PlanWriter::Impl::once_more(Items items, bool alone) {
  std::ranges::move(again_, std::back_inserter(items));
  again_ = std::move(items);
  alone_ = alone;
}

void PlanWriter::Impl::pause(const base::Error& why) {
  if (pauses_ >= (hurried_ ? kPausesInAHurry : kMostPauses)) return lose(why);
  paused_ = true;
  const auto delay = kFirstPause * (1U << std::min(pauses_, kMostDoublings));
  ++pauses_;
  alarm_ = scheduler_.at(scheduler_.clock().now() + delay, scheduler_.storing(),
                         [weak = weak_from_this()] {
                           if (const auto self = weak.lock()) {
                             self->post([self] { self->go_on(); });
                           }
                         });
}

void PlanWriter::Impl::go_on() {
  if (std::exchange(paused_, false)) work();
}

void PlanWriter::Impl::hurry() {
  post([self = shared_from_this()] {
    self->hurried_ = true;
    self->alarm_.reset();
    self->go_on();
  });
}

base::Result<Room> PlanWriter::Impl::look_for_room(const model::BudgetReserved& wanted) {
  for (const std::string& scope : wanted.scopes) {
    CLEVER_TRY(store_.ensure_cap(scope, hooks_.caps ? hooks_.caps(scope) : storage::Caps{}));
  }
  return store_.room(wanted.scopes, wanted.cost);
}

void PlanWriter::Impl::ask_for_money(Item item) {
  const auto held = std::make_shared<Item>(std::move(item));
  const auto asked =
      scheduler_.storing().post([self = shared_from_this(), held, wanted = *wanted_] {
        const auto room = self->look_for_room(wanted);
        const auto back = [self, held, room] { self->on_room(std::move(*held), room); };
        if (!self->post(back)) self->tell(*held, closed_error());
      });
  if (!asked.ok()) on_room(std::move(*held), asked.error());
}

void PlanWriter::Impl::on_room(Item item, const base::Result<Room>& room) {
  if (is_closed()) return tell(item, closed_error());
  if (room.ok() && !item.allowance.may_spend) {
    return refuse_one(std::move(item), base::internal_error("it spends without being allowed to"));
  }
  bool at_once = true;
  const base::Error why =
      room.ok() ? base::unavailable("the budgets keep changing: try again") : room.error();
  if (room.ok() && room->answer != Room::Answer::kFits) {
    allow_what_is_left(item, *room);
    if (hooks_.no_money) hooks_.no_money(*wanted_, *room);
  } else if (room.ok() && ++item.contradictions > kMostContradictions) {
    // The command settles more than was reserved, so no room is left.
    item.allowance.may_spend = false;
  } else {
    at_once = room.ok() && item.contradictions == 1;
  }
  Items items;
  items.push_back(std::move(item));
  once_more(std::move(items), true);
  return at_once ? work() : pause(why);
}

void PlanWriter::Impl::allow_what_is_left(Item& item, const Room& room) {
  internal::Allowance& allowance = item.allowance;
  allowance.room_may_come = room.answer == Room::Answer::kWait;
  if (allowance.room_may_come) {
    allowance.may_spend = false;
    return;
  }
  const bool blocked = room.budget.overruns > 0;
  const model::Cost there = blocked ? model::Cost{} : room.budget.left();
  const auto before = std::exchange(
      allowance.left, plan::Circumstances::Left{.cost = there, .scope = room.budget.scope});
  if (!before) return;
  model::Cost& least = allowance.left->cost;
  least = {std::min(there.money, before->cost.money), std::min(there.tokens, before->cost.tokens)};
  // The planned amount does not fit the budget.
  allowance.may_spend = least != before->cost;
}

void PlanWriter::Impl::ask_for_journal(Item item, const base::Error& error) {
  const auto held = std::make_shared<Item>(std::move(item));
  const auto asked = scheduler_.storing().post([self = shared_from_this(), held, error] {
    const auto journal = self->store_.journal(self->state()->id);
    const auto back = [self, held, error, journal] {
      self->on_journal(std::move(*held), error, journal);
    };
    if (!self->post(back)) self->tell(*held, closed_error());
  });
  if (!asked.ok()) on_journal(std::move(*held), error, asked.error());
}

void PlanWriter::Impl::on_journal(Item item, const base::Error& error,
                                  const base::Result<storage::JournalState>& journal) {
  if (is_closed()) return tell(item, closed_error());
  if (journal.ok() && journal->epoch == lease_.epoch && journal->head == head_) {
    return refuse_one(std::move(item), error);
  }
  if (journal.ok() || journal.error().code() == ErrorCode::kNotFound) {
    writing_.push_back(std::move(item));
    return lose(error);
  }
  Items items;
  items.push_back(std::move(item));
  once_more(std::move(items), true);
  pause(journal.error());
}

void PlanWriter::Impl::refuse_one(Item item, const base::Error& error) {
  if (item.submission.inbox != 0 && !item.submission.refusal) {
    item.submission.refusal = error;
    Items items;
    items.push_back(std::move(item));
    once_more(std::move(items), true);
  } else {
    tell(item, error);
  }
  work();
}

void PlanWriter::Impl::lose(const base::Error& error) {
  const base::Error lost =
      base::conflict("this process no longer drives the plan: " + error.sentence());
  Items items = std::exchange(writing_, {});
  std::ranges::move(again_, std::back_inserter(items));
  again_.clear();
  bool first = false;
  shared_.with([&](Shared& shared) {
    first = !shared.closed.has_value();
    shared.closed = lost;
    std::ranges::move(shared.queue, std::back_inserter(items));
    shared.queue.clear();
  });
  for (Item& item : items) tell(item, lost);
  if (first && hooks_.lost) hooks_.lost(error);
}

}  // namespace clever::engine
