#include "apply/internal/group.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "apply/internal/group_attempt.h"
#include "apply/internal/landing_marks.h"
#include "apply/internal/new_id.h"
#include "apply/internal/recovery.h"
#include "git/project_group.h"
#include "io/file_lock.h"

namespace clever::apply::internal {
namespace {

/// The part of a request that lands in one project.
struct Part {
  std::string name;
  Request request;
  StateFolder state;
};

/// Splits a request by project, in the order of the locks. Leaves out projects without changes.
/// Expects a request that check_request() accepted.
std::deque<Part> parts_of(const Request& request) {
  const std::vector<git::Project>& members = request.project.members;
  std::vector<std::vector<model::NetChange>> changes(members.size());
  std::vector<std::vector<git::TreePath>> uncommitted(members.size());
  for (const model::NetChange& change : request.changes) {
    const auto at = git::member_path(request.project, change.path);
    if (at) changes[at->member].push_back({std::string(at->path), change.before, change.after});
  }
  for (const git::TreePath& path : request.uncommitted) {
    const auto at = git::member_path(request.project, path.text());
    if (!at) continue;
    auto below = git::TreePath::parse(at->path);
    if (below.ok()) uncommitted[at->member].push_back(*std::move(below));
  }
  std::deque<Part> parts;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (changes[i].empty()) continue;
    Request part = request;
    part.project = members[i];
    part.digest = model::digest_of(changes[i]);
    part.changes = std::move(changes[i]);
    part.uncommitted = std::move(uncommitted[i]);
    part.expected_branch =
        i < request.expected_branches.size() ? request.expected_branches[i] : std::string();
    part.expected_branches.clear();
    parts.push_back({members[i].name, std::move(part), {request.state_folder, members[i]}});
  }
  return parts;
}

/// Holds the locks of a group and of its projects.
class Locks {
 public:
  // Returns none if `waits` is false and another process holds a lock.
  static base::Result<std::optional<Locks>> take(const StateFolder& group,
                                                 const std::vector<StateFolder>& states, bool waits,
                                                 const base::StopToken& stop,
                                                 base::Deadline deadline) {
    Locks all;
    CLEVER_ASSIGN(bool taken, all.add(group, waits, stop, deadline));
    for (const StateFolder& state : states) {
      if (!taken) break;
      CLEVER_ASSIGN(taken, all.add(state, waits, stop, deadline));
    }
    return taken ? std::optional(std::move(all)) : std::nullopt;
  }

 private:
  base::Result<bool> add(const StateFolder& state, bool waits, const base::StopToken& stop,
                         base::Deadline deadline) {
    if (waits) {
      CLEVER_ASSIGN(io::FileLock lock, state.lock(stop, deadline));
      locks_.push_back(std::move(lock));
      return true;
    }
    CLEVER_ASSIGN(std::optional<io::FileLock> lock, state.try_lock());
    if (lock) locks_.push_back(*std::move(lock));
    return lock.has_value();
  }

  std::vector<io::FileLock> locks_;
};

/// One apply or undo in a group: ends interrupted ones first and takes the locks.
class GroupLanding {
 public:
  GroupLanding(const Request& request, const base::StopToken& stop, base::Deadline deadline)
      : request_(request),
        group_(request.state_folder, request.project),
        parts_(parts_of(request)),
        stop_(stop),
        deadline_(deadline) {}

  base::Result<Outcome> apply() {
    CLEVER_ASSIGN(const Locks locks, begin());
    Outcome already_there{.kind = Outcome::Kind::kAlready};
    for (const Part& part : parts_) {
      CLEVER_ASSIGN(const auto mark, standing_mark(part.state, part.request));
      if (mark) {
        already_there.projects.push_back({part.name, already(*mark).commit});
        continue;
      }
      CLEVER_TRY(forget_undone(part.state, part.request));
      CLEVER_TRY(check_branch(part.request, stop_, deadline_).context(part.name));
      add(part, {.request = part.request, .state = part.state});
    }
    return run(std::move(already_there));
  }

  base::Result<Outcome> undo() {
    CLEVER_ASSIGN(const Locks locks, begin());
    Outcome already_there{.kind = Outcome::Kind::kAlready};
    std::deque<UndoOrder> undos;
    for (const Part& part : parts_) {
      CLEVER_ASSIGN(UndoOrder order, undo_order(part.state, part.request));
      if (order.undone) {
        already_there.projects.push_back({part.name, already(*order.undone).commit});
        continue;
      }
      const UndoOrder& kept = undos.emplace_back(std::move(order));
      add(part,
          {.request = kept.request, .state = part.state, .branch = kept.branch, .undo = true});
    }
    return run(std::move(already_there));
  }

 private:
  base::Result<Locks> begin() {
    CLEVER_TRY(end_own_interrupted());
    std::vector<StateFolder> states;
    for (const Part& part : parts_) states.push_back(part.state);
    CLEVER_ASSIGN(std::optional<Locks> locks,
                  Locks::take(group_, states, /*waits=*/true, stop_, deadline_));
    for (const Part& part : parts_) {
      CLEVER_TRY(end_interrupted(part.request.project, part.state).context(part.name));
    }
    return *std::move(locks);
  }

  base::Result<void> end_own_interrupted() {
    CLEVER_TRY(recover(request_.project, request_.state_folder, stop_, deadline_));
    for (const Part& part : parts_) {
      CLEVER_TRY(recover(part.request.project, request_.state_folder, stop_, deadline_)
                     .context(part.name));
    }
    return {};
  }

  void add(const Part& part, Order order) {
    order.group = request_.project.root.string();
    order.id = id_;
    names_.push_back(part.name);
    orders_.push_back(order);
  }

  base::Result<Outcome> run(Outcome otherwise) {
    if (orders_.empty()) return otherwise;
    return GroupAttempt(group_, request_.project.root.string(), orders_, names_, stop_, deadline_)
        .run();
  }

  const Request& request_;
  const StateFolder group_;
  const std::deque<Part> parts_;
  const base::StopToken& stop_;
  base::Deadline deadline_;
  const std::string id_ = new_id();
  std::deque<Order> orders_{};
  std::vector<std::string> names_{};
};

base::Result<std::string> end_in_project(const std::string& root, const StateFolder& state) {
  if (!state.has_journal()) return std::string();
  CLEVER_ASSIGN(const git::Project project, git::Project::find(root));
  return end_interrupted(project, state);
}

}  // namespace

base::Result<Outcome> apply_to_group(const Request& request, const base::StopToken& stop,
                                     base::Deadline deadline) {
  return GroupLanding(request, stop, deadline).apply();
}

base::Result<Outcome> undo_in_group(const Request& applied, const base::StopToken& stop,
                                    base::Deadline deadline) {
  return GroupLanding(applied, stop, deadline).undo();
}

base::Result<std::optional<Outcome>> landed_in_group(const Request& request) {
  Outcome outcome{.kind = Outcome::Kind::kAlready};
  for (const Part& part : parts_of(request)) {
    CLEVER_ASSIGN(const auto mark, standing_mark(part.state, part.request));
    if (!mark) return std::optional<Outcome>();
    outcome.projects.push_back({part.name, already(*mark).commit});
  }
  return std::optional(std::move(outcome));
}

base::Result<Fit> look_at_group(const Request& request, const base::StopToken& stop,
                                base::Deadline deadline) {
  Fit all;
  for (const Part& part : parts_of(request)) {
    CLEVER_ASSIGN(const Fit one, look(part.request, stop, deadline).context(part.name));
    for (const MovedOn& file : one.moved_on) {
      all.moved_on.push_back({in_group(part.name, file.path), file.why});
    }
    if (one.refusal.empty()) continue;
    all.refusal += (all.refusal.empty() ? "" : "; ") + part.name + ": " + one.refusal;
  }
  return all;
}

base::Result<HookResult> run_hooks_of_group(const Request& request,
                                            const confine::Launcher& launcher,
                                            const base::StopToken& stop, base::Deadline deadline) {
  HookResult all{.message = request.message};
  std::vector<model::NetChange> changes;
  bool changed = false;
  for (Part& part : parts_of(request)) {
    part.request.message = all.message;
    CLEVER_ASSIGN(HookResult one,
                  run_commit_hooks(part.request, launcher, stop, deadline).context(part.name));
    if (!one.output.empty()) all.output += part.name + ":\n" + one.output;
    all.message = std::move(one.message);
    all.passed = one.passed;
    changed = changed || one.changed;
    for (const auto& change : one.changed.value_or(part.request.changes)) {
      changes.push_back({in_group(part.name, change.path), change.before, change.after});
    }
    if (!all.passed) return all;
  }
  std::ranges::sort(changes, {}, &model::NetChange::path);
  if (changed) all.changed = std::move(changes);
  return all;
}

base::Result<std::string> interrupted_group(const StateFolder& state) {
  CLEVER_ASSIGN(const std::optional<Journal> journal, state.journal());
  return journal ? journal->beginning.group : std::string();
}

base::Result<std::string> end_interrupted_group(const StateFolder& group, const std::string& wanted,
                                                bool waits, const base::StopToken& stop,
                                                base::Deadline deadline) {
  CLEVER_ASSIGN(const std::optional<Journal> seen, group.journal());
  if (!seen) return std::string();
  const std::vector<std::string>& roots = seen->beginning.projects;
  std::vector<StateFolder> states;
  for (const std::string& root : roots) states.push_back(group.beside(root));
  CLEVER_ASSIGN(const auto locks, Locks::take(group, states, waits, stop, deadline));
  CLEVER_ASSIGN(const std::optional<Journal> journal, group.journal());
  // Another process ended it meanwhile, and may have begun the next.
  if (!locks || !journal || journal->beginning != seen->beginning) return std::string();
  std::string said;
  std::optional<base::Error> failed;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const auto ended = end_in_project(roots[i], states[i]);
    const std::string sentence =
        ended.ok()
            ? *ended
            : roots[i] +
                  " is left as it is until it can be ended there too: " + ended.error().sentence();
    if (!ended.ok() && (!failed || roots[i] == wanted)) failed = ended.error();
    if (said.contains(sentence)) continue;
    said += (said.empty() ? "" : "; ") + sentence;
  }
  if (!failed) CLEVER_TRY(group.remove_journal());
  const bool concerns =
      failed &&
      (wanted == seen->beginning.group ||
       (std::ranges::find(roots, wanted) != roots.end() && group.beside(wanted).has_journal()));
  if (concerns) return *std::move(failed);
  return said;
}

}  // namespace clever::apply::internal
