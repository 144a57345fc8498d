#pragma once
// Tests that every engine must pass: derive from EngineTest, write TEST_P, and say
// CLEVER_ALL_ENGINES(YourTest);

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "base/clock.h"
#include "storage/database_url.h"
#include "storage/engine.h"
#include "storage/engine_options.h"
#include "support/postgres_server.h"
#include "support/temporary_directory.h"

namespace clever::storage::testing {

enum class EngineKind : std::uint8_t { kMemory, kFile, kPostgres };
[[nodiscard]] std::string to_string(EngineKind kind);
void PrintTo(EngineKind kind, std::ostream* out);

/// A new database of one kind, with the schema in it, whose clock stands still.
class TestDatabase {
 public:
  explicit TestDatabase(EngineKind kind);

  /// Another engine on it, as another process would have; in memory there is no such thing.
  [[nodiscard]] std::unique_ptr<Engine> open(const EngineOptions& options = {});
  [[nodiscard]] base::Result<std::unique_ptr<Engine>> try_open(const EngineOptions& options = {});
  [[nodiscard]] const DatabaseUrl& url() const { return *url_; }
  [[nodiscard]] EngineKind kind() const { return kind_; }

  [[nodiscard]] base::SimulatedClock& clock() { return clock_; }
  /// Moves the simulated clock and with it clever_now().
  void advance(Engine& engine, base::Duration by);
  /// Makes clever_now() of a PostgreSQL database stand still too.
  void take_clock_over(Engine& engine);

 private:
  [[nodiscard]] std::int64_t now_us() const;

  const EngineKind kind_;
  base::SimulatedClock clock_;
  test::TemporaryDirectory folder_;
  std::optional<test::PostgresDatabase> postgres_;
  std::optional<DatabaseUrl> url_;
};

class EngineTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  EngineTest() : database_(GetParam()), engine_(database_.open()) {
    database_.take_clock_over(*engine_);
  }

  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] TestDatabase& database() { return database_; }
  [[nodiscard]] base::SimulatedClock& clock() { return database_.clock(); }
  void advance(base::Duration by) { database_.advance(*engine_, by); }
  [[nodiscard]] bool in_memory() const { return GetParam() == EngineKind::kMemory; }
  /// Closes and opens again; what is in memory stays as it is.
  void reopen() {
    if (in_memory()) return;
    engine_.reset();
    engine_ = database_.open();
  }

 private:
  TestDatabase database_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace clever::storage::testing

// For what needs a second engine on the same database.
#define CLEVER_SHARED_ENGINES(Suite)                                      \
  INSTANTIATE_TEST_SUITE_P(                                               \
      Engines, Suite,                                                     \
      ::testing::Values(clever::storage::testing::EngineKind::kFile,      \
                        clever::storage::testing::EngineKind::kPostgres), \
      [](const auto& parameter) { return clever::storage::testing::to_string(parameter.param); })

#define CLEVER_ALL_ENGINES(Suite)                                         \
  INSTANTIATE_TEST_SUITE_P(                                               \
      Engines, Suite,                                                     \
      ::testing::Values(clever::storage::testing::EngineKind::kMemory,    \
                        clever::storage::testing::EngineKind::kFile,      \
                        clever::storage::testing::EngineKind::kPostgres), \
      [](const auto& parameter) { return clever::storage::testing::to_string(parameter.param); })
