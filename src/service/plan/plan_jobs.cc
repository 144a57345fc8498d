#include "service/plan/plan_jobs.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/ulid.h"
#include "config/settings.h"
#include "model/document_json.h"
#include "provider/provider_set.h"
#include "service/caller.h"
#include "service/commands/provider.h"
#include "storage/owner_lock.h"
#include "worker/job_queue.h"

namespace clever::service {
namespace {

using model::Document;

// A job is claimed again whenever its worker was killed, so the limit must be high.
constexpr std::int64_t kMostAttempts = 100'000;

// These decide where a process looks and what it shows, not how it works on a plan.
constexpr std::string_view kOwnMatters[] = {"database.", "log.", "output.", "server.", "traces."};

std::string text_at(const Document& document, std::string_view key) {
  const Document* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

bool is_of_process(const config::Value& value) {
  return value.layer == config::Layer::kEnvironment || value.layer == config::Layer::kFlag;
}

bool decides_work(std::string_view key) {
  return std::ranges::none_of(kOwnMatters,
                              [key](std::string_view own) { return key.starts_with(own); });
}

// People and projects take turns.
std::string share_of(Context& context) {
  const Caller* caller = context.caller();
  const auto& project = context.project();
  return (caller == nullptr ? std::string() : caller->name) + "\n" +
         (project.ok() ? project->root.string() : std::string());
}

worker::NewJob job_of(const PlanJob& job, worker::Priority priority, Context& context) {
  return {.queue = std::string(kPlanQueue),
          .body = to_body(job),
          .priority = priority,
          .concurrency = "plan/" + job.plans.front().to_string(),
          .max_attempts = kMostAttempts,
          .share = share_of(context)};
}

std::string key_of_first_job(const model::PlanId& last) { return "first/" + last.to_string(); }

}  // namespace

base::Result<std::vector<worker::WorkerRecord>> living_workers(storage::Engine& engine,
                                                               const Context& context) {
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(const auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  return worker::Roster(engine, owner).list(context.stop());
}

namespace {

// Whether a living worker of this home would drive the plan as this process would.
base::Result<bool> has_equal_worker(storage::Engine& engine, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  CLEVER_ASSIGN(const std::string digest, work_digest(*settings, context));
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(const auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  CLEVER_ASSIGN(const auto workers, worker::Roster(engine, owner).list(context.stop()));
  return std::ranges::any_of(workers, [&](const worker::WorkerRecord& one) {
    return one.queue == kPlanQueue && !one.draining && one.settings == digest &&
           one.owner.home.id == owner.owner().home.id;
  });
}

}  // namespace

std::string to_body(const PlanJob& job) {
  Document plans = Document::list();
  for (const model::PlanId& plan : job.plans) plans.push(plan.to_string());
  Document body = Document::map().set("plans", std::move(plans));
  if (job.target) body.set("told", job.target.to_string());
  if (job.apply) body.set("apply", job.apply->to_event().data);
  return model::to_json(body);
}

base::Result<PlanJob> parse_plan_job(std::string_view body) {
  CLEVER_ASSIGN(const Document document, model::parse_document(body));
  PlanJob job;
  const Document* plans = document.find("plans");
  const auto* list = plans == nullptr ? nullptr : std::get_if<Document::List>(&plans->value());
  if (list == nullptr) return base::corruption("the job names no plans");
  for (const Document& plan : *list) {
    const auto* text = std::get_if<std::string>(&plan.value());
    CLEVER_ASSIGN(const auto id, model::PlanId::parse(text == nullptr ? "" : *text));
    job.plans.push_back(id);
  }
  if (const std::string target = text_at(document, "told"); !target.empty()) {
    CLEVER_ASSIGN(job.target, model::PlanId::parse(target));
  }
  if (const std::string apply = text_at(document, "apply"); !apply.empty()) {
    CLEVER_ASSIGN(job.apply, model::ApplyRequested::parse(apply));
  }
  return job;
}

base::Result<std::string> work_digest(const config::Settings& settings, const Context& context) {
  CLEVER_ASSIGN(const provider::ProviderSettings found, find_providers(settings, context));
  std::vector<std::string> lines;
  for (const provider::ProviderConfig& config : found.providers) {
    lines.push_back(provider::identity_of(config.endpoint));
  }
  for (const auto& [key, value] : settings.list()) {
    if (is_of_process(value) && decides_work(key)) lines.push_back(key + "=" + value.text);
  }
  return base::sha256(base::joined(lines, "\n")).to_hex();
}

base::Result<bool> goes_to_worker(storage::Engine& engine, Context& context) {
  return context.queues_plans() ? base::Result<bool>(true) : has_equal_worker(engine, context);
}

base::Result<storage::UnitOfWork> first_job(const PlanJob& job, worker::Priority priority,
                                            Context& context) {
  worker::NewJob first = job_of(job, priority, context);
  first.key = key_of_first_job(job.plans.back());
  storage::UnitOfWork unit;
  CLEVER_TRY(worker::add_enqueue(unit, first));
  return unit;
}

base::Result<worker::EnqueueTicket> add_job(storage::UnitOfWork& unit, const PlanJob& job,
                                            worker::Priority priority, Context& context) {
  return worker::add_enqueue(unit, job_of(job, priority, context));
}

base::Result<std::int64_t> number_of_first_job(storage::Engine& engine, const model::PlanId& last,
                                               Context& context) {
  base::SystemRandom random;
  CLEVER_ASSIGN(const auto job,
                worker::JobQueue(engine, context.clock(), random).find(key_of_first_job(last)));
  return job ? worker::number(*job) : 0;
}

base::Result<std::optional<worker::JobId>> hand_to_worker(storage::Engine& engine,
                                                          const PlanJob& job,
                                                          worker::Priority priority,
                                                          Context& context) {
  CLEVER_ASSIGN(const bool goes, goes_to_worker(engine, context));
  if (!goes) return std::optional<worker::JobId>();
  base::SystemRandom random;
  worker::JobQueue queue(engine, context.clock(), random);
  // No idempotency key: an earlier job of the plan may have read the plan's inbox for the last
  // time. This one begins when that one has ended.
  CLEVER_ASSIGN(const worker::Enqueued enqueued, queue.enqueue(job_of(job, priority, context)));
  return enqueued.id;
}

}  // namespace clever::service
