#pragma once
// Named in passing by the reports, and built already: the decomposition's _COUNTER (#6762) and the
// container accessor (#6732).

#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/lazy.h"
#include "base/random.h"
#include "base/ulid.h"
#include "explore/explore.h"
#include "reports/environment.h"
#include "reports/python.h"
#include "reports/report.h"

namespace clever::reports::counter {

/// "_COUNTER += 1; return _COUNTER": read, write, read.
class Reported {
 public:
  using Id = int;
  Id next() {
    counter_.write(counter_.read() + 1);
    return counter_.read();
  }

 private:
  python::Variable<int> counter_{0};
};

/// The product's ids.
class Ours {
 public:
  using Id = base::Ulid;
  Id next() { return generator_.next(); }

 private:
  base::SimulatedClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator generator_{clock_, random_};
};

template <class M>
concept Model = std::default_initializable<M> && requires(M model, typename M::Id id) {
  { model.next() } -> std::same_as<typename M::Id>;
  { id < id } -> std::convertible_to<bool>;
};

inline constexpr auto kUnique = "two callers were given one id";
inline constexpr auto kIncreasing = "a caller's second id is not greater than its first";

// Two workers ask for two ids each; then `check(of_first, of_second)`.
template <Model M, class Check>
void two_workers(explore::Run& run, Check check) {
  M model;
  std::vector<typename M::Id> ids[2];
  for (const int worker : {0, 1}) {
    run.thread("worker " + std::to_string(worker), [&, worker] {
      ids[worker].push_back(model.next());
      ids[worker].push_back(model.next());
    });
  }
  run.join();
  check(ids[0], ids[1]);
}

template <Model M>
void unique(explore::Run& run) {
  two_workers<M>(run, [&](const auto& first, const auto& second) {
    for (const auto& one : first) {
      for (const auto& other : second) run.require(one < other || other < one, kUnique);
    }
  });
}

template <Model M>
void increasing(explore::Run& run) {
  two_workers<M>(run, [&](const auto& first, const auto& second) {
    run.require(first[0] < first[1] && second[0] < second[1], kIncreasing);
  });
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"unique", "two workers number their subplans at the same time", kUnique, unique<M>},
      {"increasing", "a worker asks for one id after the other", kIncreasing, increasing<M>},
  };
}

}  // namespace clever::reports::counter

namespace clever::reports::container {

/// What the container holds is of no interest here, that there is one of it is.
struct Container {
  Container() { construction_work(); }
};

/// "global _container; if _container is None: _container = Container()"
class Reported {
 public:
  std::shared_ptr<Container> container() {
    if (!global_.read()) global_.write(std::make_shared<Container>());
    return global_.read();
  }

 private:
  python::Reference<Container> global_;
};

/// The product's way: what the composition root of `agents` shares stands behind base::Lazy. The
/// root itself is held to the same by real threads (shipped.h).
class Ours {
 public:
  std::shared_ptr<Container> container() {
    return built_.try_get([] { return std::make_unique<Container>(); }).value();
  }

 private:
  base::Lazy<Container> built_;
};

template <class M>
concept Model = std::default_initializable<M> && requires(M model) {
  { model.container() } -> std::same_as<std::shared_ptr<Container>>;
};

inline constexpr auto kOne = "two callers hold two containers";

template <Model M>
void one(explore::Run& run) {
  M model;
  std::shared_ptr<Container> held[2];
  run.thread("first", [&] { held[0] = model.container(); });
  run.thread("second", [&] { held[1] = model.container(); });
  run.join();
  run.require(held[0] == held[1], kOne);
}

template <Model M>
std::vector<Property> properties() {
  return {{"one", "two workers ask for the container at the same time", kOne, one<M>}};
}

}  // namespace clever::reports::container
