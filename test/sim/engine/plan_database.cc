#include "sim/engine/plan_database.h"

#include <algorithm>

#include "model/budget_events.h"
#include "model/change_events.h"
#include "model/effect_events.h"
#include "model/event_hash.h"
#include "storage/keys.h"

namespace clever::sim {
namespace {

using Tables = PlanDatabase::Tables;

base::Result<void> project(const model::EffectRequested& requested, const model::PlanId& plan,
                           Tables& tables) {
  if (!tables.effects.try_emplace(requested.id, plan, requested.kind).second) {
    return base::already_exists("an effect with this id");
  }
  return {};
}

base::Result<void> project(const model::EffectSettled& settled, const model::PlanId& plan,
                           Tables& tables) {
  const auto found = tables.effects.find(settled.id);
  if (found == tables.effects.end() || found->second.plan != plan || found->second.settled) {
    return base::conflict("an effect is settled once, after this plan requested it");
  }
  found->second.settled = true;
  return {};
}

base::Result<void> project(const model::BudgetReserved& reserved, const model::PlanId& /*plan*/,
                           Tables& tables) {
  for (const std::string& scope : reserved.scopes) {
    const auto found = tables.budgets.find(scope);
    if (found == tables.budgets.end() || !found->second.fits(reserved.cost)) {
      return base::resource_exhausted("the budget does not have that much left");
    }
    found->second.reserved.money += reserved.cost.money;
    found->second.reserved.tokens += reserved.cost.tokens;
  }
  return {};
}

void end_reservation(const std::vector<std::string>& scopes, const model::Cost& reserved,
                     const model::Cost& spent, bool open_ended, Tables& tables) {
  for (const std::string& scope : scopes) {
    storage::Budget& budget = tables.budgets[scope];
    budget.reserved.money -= reserved.money;
    budget.reserved.tokens -= reserved.tokens;
    budget.spent.money += spent.money;
    budget.spent.tokens += spent.tokens;
    const bool more =
        !open_ended && (spent.money > reserved.money || spent.tokens > reserved.tokens);
    if (more && scope.starts_with("plan/")) ++budget.overruns;
  }
}

base::Result<void> project(const model::BudgetSettled& settled, const model::PlanId& /*plan*/,
                           Tables& tables) {
  end_reservation(settled.scopes, settled.reserved, settled.spent, settled.open_ended, tables);
  return {};
}

base::Result<void> project(const model::BudgetReleased& released, const model::PlanId& /*plan*/,
                           Tables& tables) {
  end_reservation(released.scopes, released.reserved, {}, false, tables);
  return {};
}

base::Result<void> project(const model::ChangesetStarted& started, const model::PlanId& plan,
                           Tables& tables) {
  if (!tables.changesets.try_emplace(started.id, plan).second) {
    return base::already_exists("a changeset with this id");
  }
  return {};
}

base::Result<void> project(const model::ChangesRecorded& recorded, const model::PlanId& plan,
                           Tables& tables) {
  const auto found = tables.changesets.find(recorded.changeset);
  if (found == tables.changesets.end() || found->second.sealed || found->second.plan != plan) {
    return base::conflict("the changeset is sealed, or is none of this plan");
  }
  found->second.entries += static_cast<std::int64_t>(recorded.entries.size());
  return {};
}

base::Result<void> project(const model::ChangesetSealed& sealed, const model::PlanId& plan,
                           Tables& tables) {
  const auto found = tables.changesets.find(sealed.changeset);
  if (found == tables.changesets.end() || found->second.sealed || found->second.plan != plan ||
      found->second.entries != sealed.entries) {
    return base::conflict("the changeset is sealed already, or got another entry meanwhile");
  }
  found->second.sealed = true;
  return {};
}

template <class Kind>
base::Result<bool> project_as(const model::StoredEvent& event, Tables& tables) {
  if (event.kind != Kind::kKind) return false;
  CLEVER_ASSIGN(const Kind parsed, Kind::parse(event.data));
  CLEVER_TRY(project(parsed, event.plan, tables));
  return true;
}

template <class... Kinds>
base::Result<void> project_one_of(const model::StoredEvent& event, Tables& tables) {
  base::Result<void> outcome;
  const auto try_one = [&](base::Result<bool> tried) {
    if (!tried.ok()) outcome = tried.error();
    return !tried.ok() || *tried;
  };
  (void)(try_one(project_as<Kinds>(event, tables)) || ...);
  return outcome;
}

base::Result<void> project(const model::StoredEvent& event, Tables& tables) {
  return project_one_of<model::EffectRequested, model::EffectSettled, model::BudgetReserved,
                        model::BudgetSettled, model::BudgetReleased, model::ChangesetStarted,
                        model::ChangesRecorded, model::ChangesetSealed>(event, tables);
}

std::vector<base::Sha256Digest> in_order(std::vector<base::Sha256Digest> hashes) {
  std::ranges::sort(hashes);
  const auto repeated = std::ranges::unique(hashes);
  hashes.erase(repeated.begin(), repeated.end());
  return hashes;
}

void put_command(Tables& tables, const model::PlanId& plan, const std::string& key,
                 const std::string& body) {
  const auto same = [&](const PlanDatabase::Command& command) {
    return command.plan == plan && command.key == key;
  };
  if (std::ranges::any_of(tables.inbox, same)) return;
  tables.inbox.push_back({static_cast<std::int64_t>(tables.inbox.size()) + 1, plan, key, body});
}

base::Result<void> consume(Tables& tables, const model::PlanId& plan, std::int64_t sequence,
                           const storage::Append::Consumed& consumed) {
  const auto found = std::ranges::find(tables.inbox, consumed.command, &PlanDatabase::Command::id);
  if (found == tables.inbox.end() || found->plan != plan || found->consumed != 0) {
    return base::conflict("a command was already consumed, or is none of this plan");
  }
  found->consumed = sequence;
  found->receipt = consumed.receipt;
  return {};
}

// What an append can change, to be put back if it is refused. Events of a journal are only cut.
class Undo {
 public:
  Undo(Tables& tables, const model::PlanId& plan)
      : tables_(tables),
        plan_(plan),
        head_(tables.journals[plan].head),
        events_(tables.journals[plan].events.size()),
        inbox_(tables.inbox),
        effects_(tables.effects),
        changesets_(tables.changesets),
        budgets_(tables.budgets) {}

  void roll_back() {
    PlanDatabase::Journal& journal = tables_.journals[plan_];
    journal.head = head_;
    journal.events.resize(events_);
    tables_.inbox = std::move(inbox_);
    tables_.effects = std::move(effects_);
    tables_.changesets = std::move(changesets_);
    tables_.budgets = std::move(budgets_);
  }

 private:
  Tables& tables_;
  const model::PlanId plan_;
  const storage::Head head_;
  const std::size_t events_;
  std::vector<PlanDatabase::Command> inbox_;
  std::map<model::EffectId, PlanDatabase::Effect> effects_;
  std::map<model::ChangesetId, PlanDatabase::Changeset> changesets_;
  std::map<std::string, storage::Budget> budgets_;
};

base::Result<storage::Head> write(const storage::Append& append, model::Timestamp now,
                                  Tables& tables, PlanDatabase::Topics& topics) {
  PlanDatabase::Journal& journal = tables.journals[append.plan];
  const bool stale = journal.epoch != append.epoch || journal.head != append.expected;
  if (stale && tables.fenced) {
    return base::conflict("the journal is not where the append expects it");
  }
  for (const storage::Body& body : append.bodies) tables.bodies[body.hash] = body.content;
  for (const model::Event& event : append.events) {
    model::StoredEvent stored{.plan = append.plan,
                              .sequence = journal.head.sequence + 1,
                              .epoch = append.epoch,
                              .time = now,
                              .kind = event.kind,
                              .version = event.version,
                              .data = event.data,
                              .position = ++tables.position};
    stored.hash = model::event_hash(journal.head.hash, stored, in_order(event.bodies));
    CLEVER_TRY(project(stored, tables));
    journal.head = {stored.sequence, stored.hash};
    if (stored.kind == model::BudgetSettled::kKind) {
      CLEVER_ASSIGN(const auto settled, model::BudgetSettled::parse(stored.data));
      for (const auto& scope : settled.scopes) topics.push_back(storage::budget_topic(scope));
    }
    journal.events.push_back(std::move(stored));
  }
  for (const auto& consumed : append.consumed) {
    CLEVER_TRY(consume(tables, append.plan, journal.head.sequence, consumed));
  }
  // As MemoryPlans::send_statements() makes them.
  for (const storage::Statement& statement : append.also) {
    const auto& values = statement.parameters;
    put_command(tables, storage::id_of<model::PlanId>(std::get<storage::Blob>(values[0]).bytes),
                std::get<std::string>(values[1]), std::get<storage::Blob>(values[2]).bytes);
  }
  return journal.head;
}

}  // namespace

base::Result<storage::Lease> PlanDatabase::acquire(const model::PlanId& plan, int owner) {
  return tables_.with([&](Tables& tables) -> base::Result<storage::Lease> {
    Lease& lease = tables.leases[plan];
    if (lease.owner != 0 && !tables.dead.contains(lease.owner)) {
      return base::conflict(storage::plan_name(plan) + " is held by process " +
                            std::to_string(lease.owner));
    }
    lease = {lease.epoch + 1, owner};
    tables.journals[plan].epoch = lease.epoch;
    return storage::Lease{storage::plan_name(plan), lease.epoch};
  });
}

base::Result<void> PlanDatabase::release(const storage::Lease& lease, int owner) {
  return tables_.with([&](Tables& tables) -> base::Result<void> {
    const model::PlanId plan = storage::plan_of(lease.name);
    Lease& held = tables.leases[plan];
    if (held.owner != owner || held.epoch != lease.epoch) return base::conflict("it was lost");
    held = {held.epoch + 1, 0};
    tables.journals[plan].epoch = held.epoch;
    return {};
  });
}

std::vector<storage::Lease> PlanDatabase::leases_of(int owner) const {
  return tables_.with([&](const Tables& tables) {
    std::vector<storage::Lease> held;
    for (const auto& [plan, lease] : tables.leases) {
      if (lease.owner == owner) held.push_back({storage::plan_name(plan), lease.epoch});
    }
    return held;
  });
}

void PlanDatabase::bury(int owner) {
  tables_.with([&](Tables& tables) { tables.dead.insert(owner); });
}

base::Result<storage::Head> PlanDatabase::append(const storage::Append& append,
                                                 model::Timestamp now, Topics& topics) {
  return tables_.with([&](Tables& tables) -> base::Result<storage::Head> {
    Undo undo(tables, append.plan);
    auto written = write(append, now, tables, topics);
    if (!written.ok()) undo.roll_back();
    return written;
  });
}

base::Result<storage::CommandReceipt> PlanDatabase::send(const model::PlanId& plan,
                                                         const std::string& key,
                                                         const std::string& body) {
  return tables_.with([&](Tables& tables) -> base::Result<storage::CommandReceipt> {
    if (!tables.journals.contains(plan)) return base::not_found("there is no such plan");
    const std::size_t before = tables.inbox.size();
    put_command(tables, plan, key, body);
    const auto found = std::ranges::find_if(tables.inbox, [&](const Command& command) {
      return command.plan == plan && command.key == key;
    });
    if (found->body != body) return base::conflict("another command was sent with this key");
    return storage::CommandReceipt{tables.inbox.size() > before, found->id, found->consumed,
                                   found->receipt};
  });
}

void PlanDatabase::ensure_cap(const std::string& scope, const storage::Caps& caps) {
  tables_.with([&](Tables& tables) {
    tables.budgets.try_emplace(scope, storage::Budget{.scope = scope, .cap = caps});
  });
}

storage::Budgets::Room PlanDatabase::room(const std::vector<std::string>& scopes,
                                          const model::Cost& cost) const {
  using Room = storage::Budgets::Room;
  return tables_.with([&](const Tables& tables) {
    Room room;
    for (const std::string& scope : scopes) {
      const auto found = tables.budgets.find(scope);
      storage::Budget budget{.scope = scope, .cap = {0, 0}};
      if (found != tables.budgets.end()) budget = found->second;
      if (budget.fits(cost)) continue;
      storage::Budget settled = budget;
      settled.reserved = {};
      room = {settled.fits(cost) ? Room::Answer::kWait : Room::Answer::kFull, budget};
      if (room.answer == Room::Answer::kFull) break;
    }
    return room;
  });
}

}  // namespace clever::sim
