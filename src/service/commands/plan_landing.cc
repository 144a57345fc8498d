#include "service/commands/plan_landing.h"

#include <algorithm>

#include "engine/sensitive_changes.h"
#include "service/commands/plan_act.h"
#include "service/plan/void_approval.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kShortestPrefix = 8;
constexpr std::size_t kLongestDigest = 64;

Document strings(const std::vector<std::string>& texts) {
  Document list = Document::list();
  for (const std::string& text : texts) list.push(text);
  return list;
}

// The plan was not applied, and no file changed.
Report held_up(const plan::State& state) {
  Report report;
  report.data = landing_document(state);
  report.status = Status::kError;
  report.exit_code = exit_code_of(state);
  if (report.exit_code == ExitCode::kOk) report.exit_code = ExitCode::kConflict;
  const std::string why =
      state.reason.empty() && state.applied ? state.applied->reason : state.reason;
  const bool moved = state.applied && !state.applied->moved_on.empty();
  if (moved) {
    report.messages.push_back(
        {Message::Level::kWarning, void_sentence(state, state.applied->moved_on)});
  }
  report.messages.push_back(
      {Message::Level::kError, "plan " + state.id.to_string() + " was not applied: it is in " +
                                   place_of(state) + (why.empty() ? "" : ": " + why)});
  Prose prose;
  if (state.applied) {
    for (const std::string& file : state.applied->moved_on) {
      prose.lines.push_back({{"moved on: ", Tone::kWarn}, {file}});
    }
  }
  for (const auto& conflict : state.conflicts) {
    prose.lines.push_back(
        {{"conflict: ", Tone::kBad}, {conflict.path + " (" + conflict.kind + ")"}});
  }
  report.view = {std::move(prose)};
  for (const std::string& step : next_steps(state)) {
    report.messages.push_back({Message::Level::kHint, "next: `" + step + "`"});
  }
  return report;
}

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

}  // namespace

std::string apply_key(const plan::State& state) {
  std::string key = "apply/" + state.changeset.digest->to_hex();
  if (state.state != model::PlanState::kProcessing) key += "/" + std::to_string(state.sequence);
  return key;
}

base::Result<std::string> land_unasked(engine::Runtime& runtime, const plan::State& plan,
                                       model::ApplyRequested request, const base::StopToken& stop) {
  CLEVER_ASSIGN(const engine::PlanFiles files, engine::plan_files(runtime.sandboxes(), plan));
  CLEVER_ASSIGN(const auto changes, engine::sensitive_changes(files, stop));
  std::string held = engine::judge_sensitive(changes, plan.settings.control).asked;
  if (!held.empty()) return held;
  request.digest = *plan.changeset.digest;
  CLEVER_TRY(
      runtime.plans().command(plan.id, apply_key(plan), plan::Apply{std::move(request)}, stop));
  CLEVER_TRY(runtime.plans().wait(plan.id, stop));
  return std::string();
}

Document landing_document(const plan::State& state) {
  const auto& applied = state.applied;
  Document data =
      Document::map()
          .set("plan_id", state.id.to_string())
          .set("phase", to_string(state.phase))
          .set("state", to_string(state.state))
          .set("digest",
               state.changeset.digest ? Document(state.changeset.digest->to_hex()) : Document())
          .set("commit",
               applied && !applied->commit.empty() ? Document(applied->commit) : Document())
          .set("files", applied ? strings(applied->files) : Document::list())
          .set("reason", state.reason)
          .set("moved_on", applied ? strings(applied->moved_on) : Document::list());
  Document conflicts = Document::list();
  for (const auto& conflict : state.conflicts) conflicts.push(conflict.path);
  if (state.base && !state.base->projects.empty()) data.set("projects", projects_document(state));
  return data.set("conflicts", std::move(conflicts))
      .set("undone", state.undone)
      .set("next_steps", strings(next_steps(state)));
}

bool is_applied(const plan::State& state) {
  return state.state == model::PlanState::kApplied && !state.undone && state.applied &&
         state.applied->applied;
}

Report landed(const plan::State& state) {
  Report report;
  report.data = landing_document(state);
  const model::ApplyEnded& applied = *state.applied;
  Line first{{"applied", Tone::kGood}, {" plan " + state.id.to_string()}};
  if (!applied.commit.empty()) {
    first.push_back({" as commit "});
    first.push_back({applied.commit.substr(0, 12), Tone::kStrong});
  }
  if (!applied.projects.empty()) {
    first.push_back({" as commits "});
    first.push_back({commits_text(applied.projects), Tone::kStrong});
  }
  Prose prose{{std::move(first)}};
  for (const std::string& file : applied.files) prose.lines.push_back({{"  " + file}});
  if (!applied.reason.empty()) prose.lines.push_back({{applied.reason, Tone::kDim}});
  for (const std::string& step : next_steps(state)) {
    prose.lines.push_back({{"next: ", Tone::kDim}, {step, Tone::kStrong}});
  }
  report.view = {std::move(prose)};
  return report;
}

Report left_alone(const plan::State& state) {
  Report report;
  report.data = landing_document(state);
  report.view = {Prose{{{{"Nothing was applied."}}}}};
  report.exit_code = ExitCode::kNeedsPerson;
  return report;
}

base::Result<void> check_ready(const plan::State& state) {
  if (state.changeset.digest) return {};
  if (state.state == model::PlanState::kCancelled) {
    return base::conflict(
        "plan " + state.id.to_string() +
        " was cancelled, so there is nothing to apply: start a new one with `agents run`");
  }
  return base::conflict("plan " + state.id.to_string() + " is in " + place_of(state) +
                        (state.reason.empty() ? "" : " (" + state.reason + ")") +
                        ": there is nothing to apply yet");
}

base::Result<void> check_digest(const plan::State& state, const std::string& typed) {
  const std::string digest = state.changeset.digest->to_hex();
  if (digest.starts_with(typed)) return {};
  return base::conflict(
      "plan " + state.id.to_string() + " has the digest " + digest + ", not " + typed +
      ": the changes are not those that you reviewed; look again (`agents plan diff " +
      state.id.to_string() + "`)");
}

base::Result<std::string> typed_digest(const Invocation& invocation) {
  const auto typed = invocation.value("digest");
  if (!typed) return std::string();
  std::string digest(*typed);
  if (digest.size() < kShortestPrefix || digest.size() > kLongestDigest ||
      !is_hexadecimal(digest)) {
    return base::invalid_argument(
        "--digest: expected at least 8 hexadecimal digits of a digest, as `agents plan diff "
        "--format json` shows it, not " +
        in_quotes(digest));
  }
  std::ranges::transform(digest, digest.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return digest;
}

base::Result<void> wait_for_choice(MeantPlan& plan, Context& context) {
  if (plan.state.changeset.digest && plan.state.is_at_rest()) return {};
  const bool chooses = std::ranges::any_of(plan.state.effects, [](const auto& open) {
    return open.second.kind == plan::EffectKind::kChoose;
  });
  const auto& points = plan.state.checkpoints;
  const bool chosen = !points.empty() && points.back().why == "review";
  if (plan.state.is_at_rest() || !(chooses || chosen)) return {};
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  CLEVER_ASSIGN(plan.state, actor->wait());
  return {};
}

base::Result<void> check_reviewed(const MeantPlan& plan, const std::string& typed, bool is_all,
                                  Context& context) {
  auto same = check_digest(plan.state, typed);
  if (same.ok() || !is_all) return same;
  CLEVER_ASSIGN(const auto before, reviewed_before(plan, context));
  if (before && before->to_hex().starts_with(typed)) return {};
  return same;
}

Document chosen_document(const base::Sha256Digest& reviewed, std::size_t kept, std::size_t all,
                         std::size_t edits) {
  return Document::map()
      .set("reviewed", reviewed.to_hex())
      .set("kept", kept)
      .set("dropped", all - kept)
      .set("edited", edits);
}

base::Result<Report> land(const MeantPlan& plan, model::ApplyRequested request, Context& context) {
  request.digest = *plan.state.changeset.digest;
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  const auto sent = actor->send(apply_key(plan.state), plan::Apply{std::move(request)});
  if (!sent.ok()) {
    // Another command may have applied it.
    const auto now = plan.database.state(plan.summary.id);
    if (now.ok() && is_applied(*now) && now->applied->digest == *plan.state.changeset.digest) {
      return landed(*now);
    }
    return refusal(sent.error(), plan);
  }
  CLEVER_ASSIGN(const plan::State state, actor->wait());
  Report report = is_applied(state) ? landed(state) : held_up(state);
  for (std::string& failed : actor->failed_hooks()) report.warn(std::move(failed));
  return report;
}

base::Result<Report> land_part(MeantPlan plan, std::unique_ptr<ReviewedChanges> changes,
                               const std::vector<std::string>& keep,
                               const std::vector<plan::Choose::Edit>& edits,
                               model::ApplyRequested request, Context& context) {
  const std::size_t all = changes->parts().size();
  const base::Sha256Digest reviewed = *plan.state.changeset.digest;
  CLEVER_ASSIGN(Narrowed narrowed, narrow(plan, *changes, keep, edits, context));
  if (narrowed.stopped) return std::move(*narrowed.stopped);
  changes.reset();
  plan.state = std::move(narrowed.state);
  CLEVER_ASSIGN(Report report, land(plan, std::move(request), context));
  report.data.set("chosen", chosen_document(reviewed, keep.size(), all, edits.size()));
  return report;
}

}  // namespace clever::service
