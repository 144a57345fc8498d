#pragma once
// The engine as the program has it, for a benchmark: a project, a home, a database, a model server.

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "base/ulid.h"
#include "engine/observer.h"
#include "engine/runtime.h"
#include "io/http_client.h"
#include "provider/model_service.h"
#include "storage/database_source.h"
#include "storage/engine.h"

namespace clever::bench {

struct StackOptions {
  std::filesystem::path project{};
  std::filesystem::path home{};
  /// Empty: SQLite in the home, every commit synced.
  std::string database{};
  /// http://127.0.0.1:PORT of a model server.
  std::string server{};
  engine::Observer* observer = nullptr;
};

/// Ends the program where something cannot be had.
class Stack {
 public:
  explicit Stack(const StackOptions& options);

  [[nodiscard]] engine::PlanEngine& plans() { return runtime_->plans(); }
  [[nodiscard]] storage::Engine& database() { return *database_; }
  [[nodiscard]] base::Clock& clock() { return clock_; }

  /// A plan that works directly on its task, at most `turns` turns.
  model::PlanId start(const std::string& task, int turns);
  /// Starts one and waits for its end; the state then.
  std::shared_ptr<const plan::State> converse(const std::string& task, int turns);

 private:
  base::SystemClock clock_;
  base::SystemRandom random_;
  base::UlidGenerator ids_{clock_, random_};
  const std::filesystem::path project_;
  storage::DatabaseSource source_;
  std::unique_ptr<storage::Engine> database_;
  base::ThreadPool pool_{{.name = "models", .threads = 1}};
  base::TimerQueue timers_{clock_};
  io::HttpClient http_;
  std::unique_ptr<provider::ModelService> models_;
  std::unique_ptr<engine::Runtime> runtime_;
};

/// An open database; empty: SQLite in the folder.
[[nodiscard]] std::unique_ptr<storage::Engine> open_database(storage::DatabaseSource& source,
                                                             const std::string& url,
                                                             const std::filesystem::path& folder);

}  // namespace clever::bench
