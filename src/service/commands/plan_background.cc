#include "service/commands/plan_background.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>
#include <variant>

#include "base/monitor.h"
#include "engine/withhold.h"
#include "io/file.h"
#include "model/document_json.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_report.h"
#include "service/commands/run_request.h"
#include "storage/inbox.h"
#include "storage/keys.h"

namespace clever::service {
namespace {

constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::seconds kLookAgainSoon{1};
// A process that has just started needs a moment to take its plan.
constexpr std::chrono::seconds kStartTakes{15};

// Turns {"refused":CODE,"reason":…} into that error; any other receipt is none.
base::Result<void> check_refusal(const std::string& receipt) {
  const auto answer = model::parse_document(receipt);
  if (!answer.ok() || answer->find("refused") == nullptr) return {};
  const auto text = [&answer](std::string_view key) {
    const Document* found = answer->find(key);
    const auto* value = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
    return value == nullptr ? std::string() : *value;
  };
  return base::Error(
      base::error_code_from_string(text("refused")).value_or(base::ErrorCode::kConflict),
      text("reason"));
}

/// A plan and the process that drives it, until the process has read the command.
class BackgroundDrive {
 public:
  BackgroundDrive(MeantPlan plan, const PlanDriving& driving, const Invocation& invocation,
                  Context& context)
      : plan_(std::move(plan)),
        driving_(driving),
        context_(context),
        invocation_(invocation),
        job_{.plans = {root_of(plan_.state)}} {}

  /// Sends `command` to `target`; an error is the plan's refusal.
  base::Result<void> tell(const model::PlanId& target, plan::Command command) {
    engine::withhold_from_command(command, context_.redactor().secrets());
    if (target != job_.plans.front()) job_.target = target;
    storage::Inbox inbox(engine());
    const std::string key = new_key(context_);
    base::Monitor<std::uint64_t> changes;
    const auto watched = engine().subscribe(storage::plan_name(target), [&changes] {
      changes.update([](std::uint64_t& count) { ++count; });
    });
    CLEVER_ASSIGN(storage::CommandReceipt receipt, send(target, key, plan::to_json(command)));
    const base::Deadline patience = base::Deadline::after(context_.clock(), kPatience);
    while (receipt.consumed == 0) {
      const std::uint64_t seen = changes.read([](const std::uint64_t& count) { return count; });
      CLEVER_ASSIGN(receipt, inbox.receipt(target, key, context_.stop()));
      if (receipt.consumed != 0) break;
      if (patience.passed()) return not_yet();
      CLEVER_TRY(see_to_driver());
      const auto soon = base::Deadline::after(context_.clock(), kLookAgainSoon);
      const auto woken = changes.wait(context_.stop(), soon.earlier(patience),
                                      [seen](const std::uint64_t& count) { return count > seen; });
      if (!woken.ok() && context_.stop().stop_requested()) return woken.error();
    }
    return check_refusal(receipt.receipt);
  }

  /// Makes sure that a worker or a process drives the plan; starts a process if none does. A worker
  /// gets a job even for a driven plan: its present worker may be about to finish.
  base::Result<void> see_to_driver() {
    if (!was_offered_) {
      was_offered_ = true;
      CLEVER_ASSIGN(driver_, offer_to_worker(engine(), job_, worker::Priority::kUrgent, invocation_,
                                             context_));
    }
    // A job does not get lost.
    if (driver_ && driver_->job) return {};
    CLEVER_ASSIGN(const bool driven, driving_.is_driven(plan_.state, context_.stop()));
    const base::TimePoint now = context_.clock().now();
    if (driven || (driver_ && now - started_ < kStartTakes)) return {};
    CLEVER_ASSIGN(driver_, start_driver({.plans = {plan_.summary.id}}, invocation_, context_));
    started_ = now;
    return {};
  }

  base::Result<Report> report() {
    CLEVER_ASSIGN(const plan::State state, plan_.database.state(plan_.summary.id));
    if (driver_) return detached_report({state}, *driver_);
    CLEVER_ASSIGN(Report report, plan_report({plan_.database, plan_.summary, state}, context_));
    // The command only asked that the plan continues, so its status does not matter here.
    report.exit_code = ExitCode::kOk;
    report.status = Status::kOk;
    return report;
  }

  [[nodiscard]] const MeantPlan& plan() const { return plan_; }

 private:
  [[nodiscard]] storage::Engine& engine() const { return plan_.database.engine(); }

  // With the job of the worker that is to read it, if there is one: in one transaction.
  base::Result<storage::CommandReceipt> send(const model::PlanId& target, const std::string& key,
                                             std::string body) {
    storage::Inbox inbox(engine());
    bool is_queued = can_be_queued(invocation_, context_);
    if (is_queued) {
      CLEVER_ASSIGN(is_queued, goes_to_worker(engine(), context_));
    }
    if (!is_queued) return inbox.send(target, key, std::move(body), context_.stop());
    storage::UnitOfWork unit;
    storage::Inbox::add(unit, target, key, std::move(body));
    CLEVER_ASSIGN(const auto ticket, add_job(unit, job_, worker::Priority::kUrgent, context_));
    CLEVER_ASSIGN(const auto done, engine().commit(std::move(unit), context_.stop()));
    was_offered_ = true;
    driver_ = Driver{.job = worker::number(*worker::enqueued(done, ticket).id)};
    return inbox.receipt(target, key, context_.stop());
  }

  base::Error not_yet() const {
    return base::deadline_exceeded(
        "plan " + plan_.summary.id.to_string() +
        " has not read the command yet; the command is saved" +
        (driver_ && !driver_->job
             ? ", and the process that drives the plan writes to " + driver_->log.string()
             : std::string()));
  }

  const MeantPlan plan_;
  const PlanDriving& driving_;
  Context& context_;
  const Invocation& invocation_;
  PlanJob job_;
  bool was_offered_ = false;
  std::optional<Driver> driver_;
  base::TimePoint started_{};
};

// A plan that waited for money and finds room continues as soon as it is driven, which is what
// Resume asked for.
bool goes_on(const plan::Command& command, const MeantPlan& plan) {
  const auto now = plan.database.state(plan.summary.id);
  return std::holds_alternative<plan::Resume>(command) && now.ok() && !now->is_at_rest();
}

}  // namespace

Option detach_option() { return {.name = "detach", .summary = "Run in the background"}; }

std::vector<std::string> driving_words(const Invocation& invocation, const Context& context) {
  std::vector<std::string> words;
  const WorkplaceOptions answers = answers_of(invocation, context);
  const auto add = [&words](std::string_view option, const std::string& value) {
    if (!value.empty()) words.push_back("--" + std::string(option) + "=" + value);
  };
  add("script", answers.script);
  add("record", answers.answers.record);
  add("replay", answers.answers.replay);
  add("database", std::string(invocation.value("database").value_or("")));
  if (answers.unconfined) words.emplace_back("--unconfined");
  return words;
}

std::filesystem::path background_log(const model::PlanId& plan, const Context& context) {
  return context.home() / "logs" / ("plan-" + plan.to_string() + ".log");
}

bool can_be_queued(const Invocation& invocation, const Context& context) {
  return std::ranges::all_of(driving_words(invocation, context), [](const std::string& word) {
    return word.starts_with("--database=");
  });
}

base::Result<std::optional<Driver>> offer_to_worker(storage::Engine& engine, const PlanJob& job,
                                                    worker::Priority priority,
                                                    const Invocation& invocation,
                                                    Context& context) {
  if (!can_be_queued(invocation, context)) return std::optional<Driver>();
  CLEVER_ASSIGN(const auto handed, hand_to_worker(engine, job, priority, context));
  if (!handed) return std::optional<Driver>();
  return std::optional(Driver{.job = worker::number(*handed)});
}

base::Result<Driver> start_driver(const PlanJob& job, const Invocation& invocation,
                                  const Context& context) {
  std::vector<std::string> words{"plan", "drive"};
  for (const model::PlanId& plan : job.plans) words.push_back(plan.to_string());
  if (job.apply) std::ranges::copy(landing_words(*job.apply), std::back_inserter(words));
  std::ranges::copy(driving_words(invocation, context), std::back_inserter(words));
  Driver driver{.log = background_log(job.plans.front(), context)};
  CLEVER_TRY(io::make_directories(driver.log.parent_path()));
  CLEVER_ASSIGN(driver.process, context.start_in_background(words, driver.log));
  return driver;
}

base::Result<Report> drive_in_background(MeantPlan plan, const std::optional<plan::Command>& first,
                                         const Invocation& invocation, Context& context,
                                         const model::PlanId& target) {
  CLEVER_TRY(check_answers(invocation));
  CLEVER_ASSIGN(const PlanDriving driving, PlanDriving::open(plan.database, context));
  const model::PlanId to = target ? target : plan.summary.id;
  BackgroundDrive drive(std::move(plan), driving, invocation, context);
  if (first) {
    const auto sent = drive.tell(to, *first);
    if (!sent.ok() && !goes_on(*first, drive.plan())) return refusal(sent.error(), drive.plan());
  } else {
    CLEVER_TRY(drive.see_to_driver());
  }
  return drive.report();
}

}  // namespace clever::service
