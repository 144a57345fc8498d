#include "git/internal/group_commit.h"

#include <algorithm>
#include <iterator>

namespace clever::git::internal {
namespace {

bool is_durable_or_waiting(const GroupCommit::Found& found) {
  const auto* place = std::get_if<LogPlace>(&found);
  return place == nullptr || place->own;
}

}  // namespace

std::optional<GroupCommit::Found> GroupCommit::find(const ObjectId& id) const {
  return objects_.with([&](const Objects& objects) -> std::optional<Found> {
    const auto found = objects.all.find(id);
    if (found == objects.all.end()) return std::nullopt;
    return found->second;
  });
}

bool GroupCommit::is_kept(const ObjectId& id) const {
  return objects_.with([&](const Objects& objects) {
    const auto found = objects.all.find(id);
    return found != objects.all.end() && is_durable_or_waiting(found->second);
  });
}

void GroupCommit::add(std::shared_ptr<const StoredObject> object) {
  objects_.with([&](Objects& objects) {
    // In one step with the queue: the next sync must cover every caller that finds the object
    // there.
    const auto [found, is_new] = objects.all.try_emplace(object->facts.id, object);
    if (!is_new && is_durable_or_waiting(found->second)) return;
    found->second = object;
    objects.waiting.push_back(std::move(object));
    ++objects.added;
  });
}

void GroupCommit::add_places(const std::vector<LogPlace>& places) {
  objects_.with([&](Objects& objects) {
    for (const LogPlace& place : places) objects.all.try_emplace(place.facts.id, place);
  });
}

GroupCommit::Work GroupCommit::take() {
  return objects_.with([](Objects& objects) {
    return Work{.batch = std::exchange(objects.waiting, {}), .last = objects.added};
  });
}

void GroupCommit::publish(const std::vector<LogPlace>& places) {
  objects_.with([&](Objects& objects) {
    for (const LogPlace& place : places) objects.all.insert_or_assign(place.facts.id, place);
  });
}

void GroupCommit::put_back(Batch batch) {
  objects_.with([&](Objects& objects) {
    std::ranges::move(objects.waiting, std::back_inserter(batch));
    objects.waiting = std::move(batch);
  });
}

base::Result<void> GroupCommit::write_in_turn() {
  Work work = take();
  base::Result<std::vector<LogPlace>> places = std::vector<LogPlace>();
  if (!work.batch.empty()) places = writer_(work.batch);
  if (places.ok()) {
    publish(*places);
  } else {
    put_back(std::move(work.batch));
  }
  return turn_.update([&](Turn& turn) -> base::Result<void> {
    turn.taken = false;
    if (places.ok()) {
      turn.written = std::max(turn.written, work.last);
      return {};
    }
    turn.failed = work.last;
    ++turn.failures;
    turn.error = places.error();
    return places.error();
  });
}

base::Result<void> GroupCommit::sync(const base::StopToken& stop, base::Deadline deadline) {
  const auto wanted = objects_.with([](const Objects& objects) { return objects.added; });
  const auto failures = turn_.read([](const Turn& turn) { return turn.failures; });
  enum class Next : std::uint8_t { kDone, kFailed, kWrite };
  const auto next_of = [&](const Turn& turn) -> std::optional<Next> {
    if (turn.written >= wanted) return Next::kDone;
    if (turn.failures > failures && turn.failed >= wanted) return Next::kFailed;
    if (!turn.taken) return Next::kWrite;
    return std::nullopt;
  };
  std::optional<base::Error> error;
  CLEVER_ASSIGN(const Next next,
                turn_.update_when(
                    stop, deadline, [&](const Turn& turn) { return next_of(turn).has_value(); },
                    [&](Turn& turn) {
                      const Next step = *next_of(turn);
                      if (step == Next::kWrite) turn.taken = true;
                      if (step == Next::kFailed) error = turn.error;
                      return step;
                    }));
  if (next == Next::kFailed) return *error;
  return next == Next::kDone ? base::Result<void>() : write_in_turn();
}

}  // namespace clever::git::internal
