#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/guarded.h"
#include "engine/internal/append_draft.h"
#include "engine/plan_writer.h"

namespace clever::engine {

// A command is in one of: the queue, again_, writing_, a question to the store. It gets its answer
// when it leaves the last of them.
class PlanWriter::Impl : public std::enable_shared_from_this<PlanWriter::Impl> {
 public:
  Impl(PlanStore& store, Scheduler& scheduler, std::shared_ptr<base::Executor> executor,
       storage::Lease lease, const storage::Head& head, plan::State state, Hooks hooks);

  /// Names the submission for withdraw().
  std::uint64_t submit(Submission submission, Done done);
  void withdraw(std::uint64_t number);
  void close();
  void hurry();

  [[nodiscard]] std::shared_ptr<const plan::State> state() const;
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] bool is_closed() const;

 private:
  struct Item {
    std::uint64_t number = 0;
    Submission submission;
    Done done;
    internal::Allowance allowance{};
    // How often money was refused that the budgets said was there.
    int contradictions = 0;
  };
  using Items = std::deque<Item>;
  struct Shared {
    Items queue{};
    // A look at the queue is to come: a task, or the end of what is on its way.
    bool scheduled = false;
    std::optional<base::Error> closed{};
    std::shared_ptr<const plan::State> state{};
    std::uint64_t last_number = 0;
    // Submitted, and not answered.
    std::size_t open = 0;
  };

  // Runs `task` on the executor; if that is closed, never.
  bool post(base::Task&& task);
  void work();
  [[nodiscard]] Items take();
  // False: there was nothing to append.
  bool begin(Items items);
  void append(internal::AppendDraft draft, Items items, std::vector<base::Result<Settled>> answers);
  void finish(const base::Result<storage::Head>& appended);
  void committed(const storage::Head& head);
  void refused(const base::Error& error);
  void tell(Item& item, base::Result<Settled> answer);
  // What was on its way.
  void tell_all();

  void once_more(Items items, bool alone);
  // Tries again later, or gives up.
  void pause(const base::Error& why);
  void go_on();
  void ask_for_money(Item item);
  void on_room(Item item, const base::Result<storage::Budgets::Room>& room);
  // A smaller reservation is tried before the plan waits for money.
  static void allow_what_is_left(Item& item, const storage::Budgets::Room& room);
  void ask_for_journal(Item item, const base::Error& error);
  void on_journal(Item item, const base::Error& error,
                  const base::Result<storage::JournalState>& journal);
  void refuse_one(Item item, const base::Error& error);
  void lose(const base::Error& error);
  [[nodiscard]] static base::Error closed_error();
  [[nodiscard]] base::Result<storage::Budgets::Room> look_for_room(
      const model::BudgetReserved& wanted);

  // Constant after construction.
  PlanStore& store_;
  Scheduler& scheduler_;
  const std::shared_ptr<base::Executor> executor_;
  const storage::Lease lease_;
  const Hooks hooks_;
  // Guarded.
  base::Guarded<Shared> shared_;
  // Executor-owned.
  storage::Head head_;
  // To be decided before the queue; one at a time if alone_.
  Items again_;
  bool alone_ = false;
  unsigned pauses_ = 0;
  bool paused_ = false;
  bool hurried_ = false;
  std::unique_ptr<Alarm> alarm_;
  // On its way.
  Items writing_;
  std::vector<base::Result<Settled>> answers_;
  std::shared_ptr<const plan::State> next_state_;
  std::vector<model::StoredEvent> next_events_;
  std::optional<model::BudgetReserved> wanted_;
};

}  // namespace clever::engine
