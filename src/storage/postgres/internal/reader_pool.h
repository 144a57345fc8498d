#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "storage/postgres/internal/connector.h"

namespace clever::storage::postgres {

/// A bounded number of reading connections, made on demand. Thread-safe; must outlive its readers.
class ReaderPool {
 public:
  /// The right to use one connection, and the connection that its last user left, if any. Returns
  /// both.
  class Reader {
   public:
    Reader(ReaderPool& pool, std::unique_ptr<Connection> left)
        : connection(std::move(left)), pool_(&pool) {}
    Reader(Reader&& other) noexcept
        : connection(std::move(other.connection)), pool_(std::exchange(other.pool_, nullptr)) {}
    Reader& operator=(Reader&&) = delete;
    ~Reader() {
      if (pool_ != nullptr) pool_->give_back(std::move(connection));
    }

    std::unique_ptr<Connection> connection;

   private:
    ReaderPool* pool_;
  };

  explicit ReaderPool(std::size_t limit) : limit_(limit) {}

  /// Waits while all are busy. `cancelled`, `deadline_exceeded`.
  [[nodiscard]] base::Result<Reader> acquire(const Patience& patience);

 private:
  struct State {
    std::vector<std::unique_ptr<Connection>> idle;
    std::size_t busy = 0;
  };
  void give_back(std::unique_ptr<Connection> connection);

  const std::size_t limit_;
  base::Monitor<State> state_;
};

}  // namespace clever::storage::postgres
