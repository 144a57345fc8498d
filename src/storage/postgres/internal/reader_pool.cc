#include "storage/postgres/internal/reader_pool.h"

namespace clever::storage::postgres {

base::Result<ReaderPool::Reader> ReaderPool::acquire(const Patience& patience) {
  CLEVER_ASSIGN(auto connection, state_.update_when(
                                     patience.stop, patience.deadline,
                                     [this](const State& state) { return state.busy < limit_; },
                                     [](State& state) -> std::unique_ptr<Connection> {
                                       ++state.busy;
                                       if (state.idle.empty()) return nullptr;
                                       auto last = std::move(state.idle.back());
                                       state.idle.pop_back();
                                       return last;
                                     }));
  return Reader(*this, std::move(connection));
}

void ReaderPool::give_back(std::unique_ptr<Connection> connection) {
  // Closes a broken connection outside the lock.
  if (connection != nullptr && !connection->usable()) connection.reset();
  state_.update([&](State& state) {
    --state.busy;
    if (connection != nullptr) state.idle.push_back(std::move(connection));
  });
}

}  // namespace clever::storage::postgres
