#include "service/plan_worker.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "base/ulid.h"
#include "config/settings.h"
#include "io/file.h"
#include "io/process.h"
#include "service/commands/provider.h"
#include "service/notice/notice_worker.h"
#include "service/plan/plan_caps.h"
#include "service/plan/plan_jobs.h"
#include "service/plan_attempts.h"
#include "worker/async_worker.h"
#include "worker/job_queue.h"
#include "worker/roster.h"

namespace clever::service {
namespace {

using std::chrono::seconds;

constexpr std::size_t kUsualSlots = 32;
// Plans that only wait hold no slot, but memory.
constexpr std::size_t kMostPaused = 256;
constexpr seconds kTick{1};
// Threads for the queue's own short work, which never waits behind a plan.
constexpr unsigned kQueueThreads = 2;
// With less free memory no further plan starts beside the running ones.
constexpr std::uint64_t kLeastMemoryKib = std::uint64_t{256} << 10U;

// Returns the memory that the kernel can give without swapping; none if it does not say.
std::optional<std::uint64_t> available_kib() {
  constexpr std::string_view kName = "MemAvailable:";
  const auto facts = io::read_file("/proc/meminfo");
  if (!facts.ok()) return std::nullopt;
  for (const std::string_view line : base::split(std::string_view(*facts), '\n')) {
    if (!line.starts_with(kName)) continue;
    const std::string_view rest = base::trimmed(line.substr(kName.size()));
    return base::to_number<std::uint64_t>(rest.substr(0, rest.find(' ')));
  }
  return std::nullopt;
}

bool is_short_of_memory() { return available_kib().value_or(kLeastMemoryKib) < kLeastMemoryKib; }

/// Reads a home's settings file again when it changed. Used by one thread.
class HomeSettings {
 public:
  explicit HomeSettings(const Context& context)
      : context_(context), file_(config::user_file(context.home())), seen_(text()) {}

  /// None: nothing changed; with `anyway` they are read all the same. An error: it was read and
  /// says nothing that could be used.
  base::Result<std::optional<config::Settings>> changed(bool anyway) {
    std::string now = text();
    if (now == seen_ && !anyway) return std::optional<config::Settings>();
    seen_ = std::move(now);
    CLEVER_ASSIGN(config::Settings settings, context_.settings_in(context_.directory()));
    return std::optional(std::move(settings));
  }

 private:
  [[nodiscard]] std::string text() const { return io::read_file(file_).value_or(std::string()); }

  const Context& context_;
  const std::filesystem::path file_;
  std::string seen_;
};

}  // namespace

class PlanWorker::Impl {
 public:
  Impl(std::shared_ptr<storage::Engine> engine, const Options& options, storage::OwnerLock owner,
       Context& context)
      : context_(context),
        engine_(std::move(engine)),
        options_(options),
        owner_(std::move(owner)),
        jobs_(*engine_, context.clock(), random_),
        roster_(*engine_, owner_),
        settings_(context),
        traces_(context.models(), context.clock()),
        gate_(context.clock(), &traces_),
        pool_(std::in_place, base::ThreadPool::Options{.name = "queue", .threads = kQueueThreads}),
        timers_(context.clock()) {}

  ~Impl() {
    end_ticks();
    notices_.reset();
    worker_.reset();
    plans_.reset();
    // If the database is gone, the dead owner's lock tells the same.
    static_cast<void>(roster_.leave());
  }

  base::Result<void> start(const config::Settings& settings) {
    const PlanDatabase database = PlanDatabase::over(engine_, context_);
    CLEVER_ASSIGN(
        auto workplace,
        Workplace::open(database, {.any_project = true, .observer = &gate_, .gate = &gate_},
                        context_));
    plans_.emplace(
        PlanAttempts::Parts{.engine = *engine_,
                            .clock = context_.clock(),
                            .gate = gate_,
                            .workplace = std::move(workplace),
                            .threads = options_.slots,
                            .begins = [this] { static_cast<void>(follow_settings()); },
                            .ended = [this] { ticks_.update([](Ticks& t) { --t.running; }); },
                            .note = [this](const worker::Lease& job,
                                           const std::string& why) { jobs_.note(job, why); }});
    CLEVER_ASSIGN(const std::string digest, work_digest(settings, context_));
    digest_.with([&](std::string& now) { now = digest; });
    traces_.send_to(settings.text("traces.endpoint"));
    CLEVER_TRY(roster_.enter({.queue = options_.queue,
                              .slots = static_cast<std::int64_t>(options_.slots),
                              .process = io::process_number(),
                              .settings = digest}));
    CLEVER_TRY(roster_.bury(jobs_));
    worker_.emplace(
        jobs_, *pool_, timers_, context_.clock(),
        [this](const worker::Job& job, const base::StopToken& stop, worker::Finish finish) {
          begin(job, stop, std::move(finish));
        },
        worker::AsyncWorker::Options{.queue = options_.queue,
                                     .owner = owner_.owner().id,
                                     .buffer = options_.slots,
                                     .parallel = options_.slots,
                                     .waiting = kMostPaused,
                                     .fair = true});
    notices_.emplace(NoticeWorker::Parts{.engine = *engine_,
                                         .targets = plans_->notices(),
                                         .models = context_.models(),
                                         .clock = context_.clock(),
                                         .random = random_,
                                         .timers = timers_,
                                         .owner = owner_.owner().id});
    schedule();
    return {};
  }

  [[nodiscard]] model::OwnerId id() const { return owner_.owner().id; }
  [[nodiscard]] std::size_t slots() const { return options_.slots; }
  [[nodiscard]] TraceExporter::Counts traces() const { return traces_.counts(); }

  base::Result<void> reload() { return follow_settings(/*anyway=*/true); }

  base::Result<void> wait(const base::StopToken& stop) {
    return ticks_.wait(stop, base::Deadline::never(), [](const Ticks& t) { return t.drained; });
  }

 private:
  struct Ticks {
    base::Timer next;
    bool ticking = false;
    bool closing = false;
    bool drained = false;
    std::size_t running = 0;
  };

  // ---- Jobs ----

  void begin(const worker::Job& job, const base::StopToken& stop, worker::Finish finish) {
    const std::size_t others = ticks_.update([](Ticks& t) { return t.running++; });
    if (others > 0 && is_short_of_memory()) {
      ticks_.update([](Ticks& t) { --t.running; });
      finish.put_off("too little memory is free for another plan", kTick);
      return;
    }
    plans_->begin(job, stop, std::move(finish));
  }

  // ---- Once a second ----

  void schedule() {
    ticks_.update([this](Ticks& t) {
      if (t.closing) return;
      auto timer = timers_.after(kTick, *pool_, [this] { tick(); });
      if (timer.ok()) t.next = *std::move(timer);
    });
  }

  void tick() {
    const bool goes = ticks_.update([](Ticks& t) {
      if (!t.closing) t.ticking = true;
      return t.ticking;
    });
    if (!goes) return;
    static_cast<void>(follow_settings());
    traces_.flush();
    look_around();
    ticks_.update([](Ticks& t) { t.ticking = false; });
    schedule();
  }

  // Before a job begins and once a second; one at a time. A setting that is wrong changes nothing,
  // and the present ones stay in force.
  base::Result<void> follow_settings(bool anyway = false) {
    following_
        .update_when(
            {}, [](const bool& busy) { return !busy; }, [](bool& busy) { busy = true; })
        .value();
    auto done = read_settings(anyway);
    following_.update([](bool& busy) { busy = false; });
    return done;
  }

  base::Result<void> read_settings(bool anyway) {
    CLEVER_ASSIGN(const auto changed, settings_.changed(anyway));
    if (!changed) return {};
    CLEVER_ASSIGN(const auto found, find_providers(*changed, context_));
    CLEVER_ASSIGN(auto targets, notice_targets(*changed, context_.environment()));
    CLEVER_TRY(plans_->reconfigure(found, std::move(targets)));
    traces_.send_to(changed->text("traces.endpoint"));
    CLEVER_ASSIGN(const std::string digest, work_digest(*changed, context_));
    digest_.with([&](std::string& now) { now = digest; });
    return {};
  }

  // What fails is tried again at the next tick.
  void look_around() {
    const auto drains = roster_.stay(digest_.with([](const std::string& now) { return now; }));
    static_cast<void>(roster_.bury(jobs_));
    if (!drains.ok() || !*drains) return;
    worker_->stop_claiming();
    const auto now = base::Deadline::after(context_.clock(), base::Duration::zero());
    if (worker_->drain({}, now).ok()) ticks_.update([](Ticks& t) { t.drained = true; });
  }

  void end_ticks() {
    ticks_.update([](Ticks& t) {
      t.closing = true;
      t.next = {};
    });
    ticks_.wait({}, base::Deadline::never(), [](const Ticks& t) { return !t.ticking; }).value();
  }

  // Constant after construction.
  Context& context_;
  const std::shared_ptr<storage::Engine> engine_;
  const Options options_;
  const storage::OwnerLock owner_;
  base::SystemRandom random_;
  worker::JobQueue jobs_;
  // Used by start(), then by the ticks, one of which runs at a time.
  worker::Roster roster_;
  // Owned by the thread that set following_.
  HomeSettings settings_;
  // Shared.
  base::Guarded<std::string> digest_;
  base::Monitor<bool> following_;
  base::Monitor<Ticks> ticks_;
  // Those below use those above.
  TraceExporter traces_;
  engine::EffectGate gate_;
  std::optional<PlanAttempts> plans_;
  std::optional<base::ThreadPool> pool_;
  base::TimerQueue timers_;
  std::optional<worker::AsyncWorker> worker_;
  std::optional<NoticeWorker> notices_;
};

PlanWorker::PlanWorker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PlanWorker::~PlanWorker() = default;
model::OwnerId PlanWorker::id() const { return impl_->id(); }
std::size_t PlanWorker::slots() const { return impl_->slots(); }
base::Result<void> PlanWorker::wait(const base::StopToken& stop) { return impl_->wait(stop); }
base::Result<void> PlanWorker::reload() { return impl_->reload(); }
TraceExporter::Counts PlanWorker::traces() const { return impl_->traces(); }

base::Result<std::unique_ptr<PlanWorker>> PlanWorker::open(
    const std::shared_ptr<storage::Engine>& engine, const Options& options, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  Options chosen = options;
  if (chosen.queue.empty()) chosen.queue = kPlanQueue;
  if (chosen.slots == 0) chosen.slots = std::min(most_plans(*settings), kUsualSlots);
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  auto worker = std::make_unique<Impl>(engine, chosen, std::move(owner), context);
  CLEVER_TRY(worker->start(*settings));
  return std::unique_ptr<PlanWorker>(new PlanWorker(std::move(worker)));
}

}  // namespace clever::service
