#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/monitor.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// Read-only connections, opened on demand and reused. Thread-safe.
class ReaderPool {
 public:
  ReaderPool(std::filesystem::path file, std::size_t most, base::StopToken closing,
             base::Clock& clock)
      : file_(std::move(file)), most_(most), closing_(std::move(closing)), clock_(clock) {}

  /// A connection of the pool; returned by the destructor.
  class Loan {
   public:
    Loan(ReaderPool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    Loan(Loan&&) = default;
    Loan& operator=(Loan&&) = delete;
    ~Loan() {
      if (connection_) pool_->take_back(std::move(connection_));
    }
    Connection& operator*() { return *connection_; }

   private:
    ReaderPool* pool_;
    std::unique_ptr<Connection> connection_;
  };
  /// Waits while all connections are lent.
  base::Result<Loan> borrow(const base::StopToken& stop, base::Deadline deadline);

 private:
  struct State {
    std::vector<std::unique_ptr<Connection>> idle;
    std::size_t lent = 0;
  };
  void take_back(std::unique_ptr<Connection> connection);

  const std::filesystem::path file_;
  const std::size_t most_;
  const base::StopToken closing_;
  base::Clock& clock_;
  base::Monitor<State> state_;
};

}  // namespace clever::storage::sqlite
