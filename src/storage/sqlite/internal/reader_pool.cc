#include "storage/sqlite/internal/reader_pool.h"

#include <utility>

namespace clever::storage::sqlite {

base::Result<ReaderPool::Loan> ReaderPool::borrow(const base::StopToken& stop,
                                                  base::Deadline deadline) {
  CLEVER_ASSIGN(auto connection,
                state_.update_when(
                    stop, deadline, [&](const State& state) { return state.lent < most_; },
                    [](State& state) {
                      ++state.lent;
                      if (state.idle.empty()) return std::unique_ptr<Connection>();
                      auto idle = std::move(state.idle.back());
                      state.idle.pop_back();
                      return idle;
                    }));
  if (connection) return Loan(*this, std::move(connection));
  auto opened = Connection::open({.file = file_, .read_only = true, .stop = closing_}, clock_);
  if (opened.ok()) return Loan(*this, std::move(opened).value());
  state_.update([](State& state) { --state.lent; });
  return std::move(opened).error();
}

void ReaderPool::take_back(std::unique_ptr<Connection> connection) {
  connection->roll_back();
  state_.update([&](State& state) {
    --state.lent;
    state.idle.push_back(std::move(connection));
  });
}

}  // namespace clever::storage::sqlite
