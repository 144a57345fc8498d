#include "storage/plan_appender.h"

#include <algorithm>
#include <iterator>

namespace clever::storage {
namespace {

constexpr std::size_t kPartsAtOnce = 64;

template <class T>
void add_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

bool is_refusal(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kConflict:
    case base::ErrorCode::kInvalidArgument:
    case base::ErrorCode::kAlreadyExists:
    case base::ErrorCode::kResourceExhausted:
    case base::ErrorCode::kNotFound:
      return true;
    default:
      return false;
  }
}

}  // namespace

PlanAppender::PlanAppender(Port port, const model::PlanId& plan, std::int64_t epoch,
                           const Head& head)
    : port_(std::move(port)), plan_(plan), epoch_(epoch) {
  queue_.update([&](Queue& queue) { queue.head = head; });
}

PlanAppender::PlanAppender(Journal& journal, const model::PlanId& plan, std::int64_t epoch,
                           const Head& head)
    : PlanAppender({[&journal](Append append) { return journal.append(std::move(append)); },
                    [&journal, plan] { return journal.state(plan); }},
                   plan, epoch, head) {}

base::Result<Head> PlanAppender::append(Part part, const base::StopToken& stop,
                                        base::Deadline deadline) {
  Waiting mine{std::move(part)};
  queue_.update([&](Queue& queue) { queue.waiting.push_back(&mine); });
  const auto is_my_turn = [&](const Queue& queue) { return mine.answer || !queue.is_writing; };
  while (true) {
    const auto woken = queue_.wait(stop, deadline, is_my_turn);
    if (!woken.ok()) {
      const bool withdrawn =
          queue_.update([&](Queue& queue) { return std::erase(queue.waiting, &mine) > 0; });
      if (withdrawn) return woken.error();
      // It is being written: what becomes of it must be known.
      queue_
          .wait({}, base::Deadline::never(), [&](const Queue&) { return mine.answer.has_value(); })
          .value();
    }
    const bool answered = queue_.read([&](const Queue&) { return mine.answer.has_value(); });
    if (answered) return *mine.answer;
    if (const Batch batch = take_turn(); !batch.empty()) write(batch);
  }
}

PlanAppender::Batch PlanAppender::take_turn() {
  Batch batch;
  queue_.update([&](Queue& queue) {
    if (queue.is_writing || queue.waiting.empty()) return;
    queue.is_writing = true;
    const auto count = static_cast<std::ptrdiff_t>(std::min(queue.waiting.size(), kPartsAtOnce));
    batch.assign(queue.waiting.begin(), queue.waiting.begin() + count);
    queue.waiting.erase(queue.waiting.begin(), queue.waiting.begin() + count);
  });
  return batch;
}

void PlanAppender::write(const Batch& batch) {
  Head head = queue_.read([](const Queue& queue) { return queue.head; });
  // Answers are gathered here: those who wait look at theirs under the lock only.
  std::vector<base::Result<Head>> answers;
  const auto together = try_write(batch, head);
  if (!together.ok() && batch.size() > 1 && is_refusal(together.error().code())) {
    for (Waiting* one : batch) answers.push_back(try_write({one}, head));
  } else {
    answers.assign(batch.size(), together);
  }
  queue_.update([&](Queue& queue) {
    queue.head = head;
    queue.is_writing = false;
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i]->answer = std::move(answers[i]);
  });
}

base::Result<Head> PlanAppender::try_write(const Batch& batch, Head& head) {
  while (true) {
    Append append{.plan = plan_, .expected = head, .epoch = epoch_};
    for (const Waiting* one : batch) {
      add_all(append.events, one->part.events);
      add_all(append.bodies, one->part.bodies);
      add_all(append.consumed, one->part.consumed);
      add_all(append.also, one->part.also);
    }
    auto written = port_.append(std::move(append));
    if (written.ok()) {
      head = *written;
      return written;
    }
    if (written.error().code() != base::ErrorCode::kConflict) return written;
    // Was it the journal that had moved on, or something that the part itself asked for?
    CLEVER_ASSIGN(const JournalState now, port_.state());
    if (now.epoch != epoch_ || now.head == head) return written;
    head = now.head;
  }
}

}  // namespace clever::storage
