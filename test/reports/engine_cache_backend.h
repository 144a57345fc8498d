#pragma once
// Report #3950: the databases behind the engine caches. An Engine is what create_engine() returns;
// the Backend makes them, counts them, and fails or waits where a test tells it to.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace clever::reports::engine_cache {

enum class Memory : std::uint8_t {
  kPerConnection,  // each connection to an in-memory database has its own
  kShared,         // shared on purpose
};

/// A database engine. Thread-safe.
class Engine {
 public:
  Engine(bool reachable, Memory memory) : reachable_(reachable), memory_(memory) {}

  /// False if the first connection failed: this engine will never work.
  [[nodiscard]] bool works() const { return reachable_; }
  void migrate();
  [[nodiscard]] int migrations() const;
  void close();
  [[nodiscard]] bool closed() const;

  /// Each worker has a connection of its own.
  void create_table(int worker, const std::string& table);
  [[nodiscard]] bool sees(int worker, const std::string& table) const;

 private:
  [[nodiscard]] int database_of(int worker) const {
    return memory_ == Memory::kShared ? 0 : worker;
  }

  struct State {
    int migrations = 0;
    bool closed = false;
    std::map<int, std::set<std::string>> tables;
  };
  const bool reachable_;
  const Memory memory_;
  base::Guarded<State> state_;
};

using EnginePtr = std::shared_ptr<Engine>;

/// Makes engines. Thread-safe once set up.
class Backend {
 public:
  /// The first `count` engines will turn out not to work.
  void break_first(int count) { broken_ = count; }
  /// Runs inside every create(), as the disk or the network would.
  void on_create(std::function<void(const std::string& url)> hook) { hook_ = std::move(hook); }

  EnginePtr create(const std::string& url, Memory memory = Memory::kPerConnection);
  /// Engines made, working, and not closed.
  [[nodiscard]] int open_engines() const;

 private:
  int broken_ = 0;
  std::function<void(const std::string&)> hook_;
  base::Guarded<std::vector<EnginePtr>> made_;
};

/// "sqlite://" and "sqlite:///:memory:" are one database.
[[nodiscard]] std::string normalised(const std::string& url);

}  // namespace clever::reports::engine_cache
