#include "engine/plan_writer.h"

#include <utility>

#include "base/monitor.h"
#include "engine/internal/plan_writer_impl.h"

namespace clever::engine {

PlanWriter::PlanWriter(PlanStore& store, Scheduler& scheduler,
                       std::shared_ptr<base::Executor> executor, storage::Lease lease,
                       storage::Head head, plan::State state, Hooks hooks)
    : impl_(std::make_shared<Impl>(store, scheduler, std::move(executor), std::move(lease), head,
                                   std::move(state), std::move(hooks))) {}

PlanWriter::~PlanWriter() { impl_->close(); }

void PlanWriter::submit(Submission submission, Done done) {
  impl_->submit(std::move(submission), std::move(done));
}

base::Result<Settled> PlanWriter::execute(Submission submission, const base::StopToken& stop,
                                          base::Deadline deadline) {
  using Answer = base::Monitor<std::optional<base::Result<Settled>>>;
  const auto answer = std::make_shared<Answer>();
  const auto number = impl_->submit(std::move(submission), [answer](base::Result<Settled> settled) {
    answer->update([&](auto& slot) { slot.emplace(std::move(settled)); });
  });
  const auto is_there = [](const auto& slot) { return slot.has_value(); };
  if (!answer->wait(stop, deadline, is_there).ok()) {
    impl_->withdraw(number);
    answer->wait({}, base::Deadline::never(), is_there).value();
  }
  return answer->read([](const auto& slot) { return *slot; });
}

void PlanWriter::hurry() { impl_->hurry(); }

std::shared_ptr<const plan::State> PlanWriter::state() const { return impl_->state(); }

bool PlanWriter::is_idle() const { return impl_->is_idle(); }

bool PlanWriter::is_closed() const { return impl_->is_closed(); }

}  // namespace clever::engine
