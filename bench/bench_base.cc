// What the base library costs beside what a user would pick instead:
//   guarded       one uncontended Guarded::with            peer: std::mutex and std::lock_guard
//   pool          posting N empty tasks from outside and waiting for the last, per task
//                                                          peer: boost::asio::thread_pool
//   strand_flood  the same through one strand              peer: boost::asio::strand
//   strand_chain  a task that posts the next one to the other of two strands, per hand-over
//                                                          peer: boost::asio::strand
//   strand_many   64 strands, each posting to itself, per task
//                                                          peer: boost::asio::strand
// The argument is the number of pool threads.
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <mutex>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/strand.h"
#include "base/thread_pool.h"
#include "comparison.h"

namespace {

using clever::base::Deadline;
using clever::base::Guarded;
using clever::base::Monitor;
using clever::base::Strand;
using clever::base::ThreadPool;
namespace asio = boost::asio;

// The end of a run, counted by the same means on both sides.
class Countdown {
 public:
  explicit Countdown(int count) : left_(count) {}
  void tick() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) done_.update([](bool& d) { d = true; });
  }
  void wait() {
    done_.wait({}, Deadline::never(), [](bool d) { return d; }).value();
  }

 private:
  std::atomic<int> left_;
  Monitor<bool> done_;
};

// One interface over both, so that the loops below are the same code.
struct Ours {
  explicit Ours(unsigned threads) : pool({.threads = threads, .queue_limit = 1U << 20U}) {}
  template <class F>
  void post(F&& task) {
    pool.post(std::forward<F>(task)).value();
  }
  ThreadPool pool;

  struct Serial {
    explicit Serial(Ours& ours) : strand(ours.pool, {.queue_limit = 1U << 20U}) {}
    template <class F>
    void post(F&& task) {
      strand.post(std::forward<F>(task)).value();
    }
    Strand strand;
  };
};

struct Peer {
  explicit Peer(unsigned threads) : pool(threads) {}
  ~Peer() { pool.join(); }
  template <class F>
  void post(F&& task) {
    asio::post(pool, std::forward<F>(task));
  }
  asio::thread_pool pool;

  struct Serial {
    explicit Serial(Peer& peer) : strand(asio::make_strand(peer.pool)) {}
    template <class F>
    void post(F&& task) {
      asio::post(strand, std::forward<F>(task));
    }
    asio::strand<asio::thread_pool::executor_type> strand;
  };
};

constexpr int kTasks = 20'000;

template <class Side>
void pool_flood(benchmark::State& state) {
  Side side(static_cast<unsigned>(state.range(0)));
  for (auto _ : state) {
    Countdown countdown(kTasks);
    for (int i = 0; i < kTasks; ++i) side.post([&] { countdown.tick(); });
    countdown.wait();
  }
  state.counters["items"] = kTasks;
}

template <class Side>
void strand_flood(benchmark::State& state) {
  Side side(static_cast<unsigned>(state.range(0)));
  typename Side::Serial serial(side);
  for (auto _ : state) {
    Countdown countdown(kTasks);
    for (int i = 0; i < kTasks; ++i) serial.post([&] { countdown.tick(); });
    countdown.wait();
  }
  state.counters["items"] = kTasks;
}

template <class Serial>
struct Chain {
  Serial& here;
  Serial& there;
  int left;
  Countdown& countdown;
  void operator()() {
    if (left == 0) return countdown.tick();
    there.post(Chain{there, here, left - 1, countdown});
  }
};

template <class Side>
void strand_chain(benchmark::State& state) {
  Side side(static_cast<unsigned>(state.range(0)));
  typename Side::Serial one(side);
  typename Side::Serial other(side);
  for (auto _ : state) {
    Countdown countdown(1);
    one.post(Chain<typename Side::Serial>{one, other, kTasks, countdown});
    countdown.wait();
  }
  state.counters["items"] = kTasks;
}

template <class Side>
void strand_many(benchmark::State& state) {
  constexpr int kStrands = 64;
  Side side(static_cast<unsigned>(state.range(0)));
  std::vector<std::unique_ptr<typename Side::Serial>> strands;
  for (int i = 0; i < kStrands; ++i)
    strands.push_back(std::make_unique<typename Side::Serial>(side));
  for (auto _ : state) {
    Countdown countdown(kStrands);
    for (auto& strand : strands) {
      strand->post(Chain<typename Side::Serial>{*strand, *strand, kTasks / kStrands, countdown});
    }
    countdown.wait();
  }
  state.counters["items"] = kTasks;
}

void guarded_ours(benchmark::State& state) {
  Guarded<long> value;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) value.with([](long& v) { benchmark::DoNotOptimize(++v); });
  }
  state.counters["items"] = 1000;
}

void guarded_peer(benchmark::State& state) {
  std::mutex mutex;
  long value = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) {
      const std::lock_guard lock(mutex);
      benchmark::DoNotOptimize(++value);
    }
  }
  state.counters["items"] = 1000;
}

BENCHMARK(guarded_ours)->Name("guarded/ours");
BENCHMARK(guarded_peer)->Name("guarded/peer");

#define COMPARE(what)                                                                \
  BENCHMARK(what<Ours>)->Name(#what "/ours")->Arg(1)->Arg(2)->Arg(8)->UseRealTime(); \
  BENCHMARK(what<Peer>)->Name(#what "/peer")->Arg(1)->Arg(2)->Arg(8)->UseRealTime()

COMPARE(pool_flood);
COMPARE(strand_flood);
COMPARE(strand_chain);
COMPARE(strand_many);

}  // namespace

int main(int argc, char** argv) { return clever::bench::run(argc, argv); }
