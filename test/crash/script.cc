#include "crash/script.h"

#include "crash/load.h"

namespace clever::storage::crash {
namespace {

class Script {
 public:
  Script(const Place& place, const Tell& tell, bool disk_may_fail)
      : place_(place), tell_(tell), disk_may_fail_(disk_may_fail) {}

  void run() {
    session(0, tables(), [&](Engine& engine) { load(engine, 0, 12); });
    session(1, tables(), [&](Engine& engine) {
      load(engine, 1, 4);
      must(engine.vacuum(ignore, {}), "rewriting");
      load(engine, 2, 3);
      must(engine.backup(place_.folder / "copy.db", ignore, {}), "copying");
    });
    session(3, upgraded_tables(), [&](Engine& engine) { load(engine, 3, 4); });
  }

 private:
  static void ignore(std::string_view /*doing*/, std::uint64_t /*done*/, std::uint64_t /*all*/) {}

  template <class Use>
  void session(int run, std::span<const Migration> migrations, Use use) {
    const auto clock = clock_of(place_, run);
    const auto engine = place_.open(*clock, migrations);
    if (!engine.ok()) return fault("opening: " + engine.error().to_string());
    use(**engine);
  }

  void load(Engine& engine, int run, int operations) {
    const auto clock = clock_of(place_, run);
    const auto owner = place_.new_owner();
    if (!owner.ok()) return tell_(Report::fault(owner.error().to_string()));
    LoadOptions options;
    options.seed = 7 + static_cast<std::uint64_t>(run);
    options.run = run;
    options.threads = 1;
    options.operations = operations;
    options.disk_may_fail = disk_may_fail_;
    run_load(engine, *clock, *owner, kLeaseOfJobs, options, tell_);
  }

  void must(const base::Result<void>& result, const std::string& doing) {
    if (!result.ok()) fault(doing + ": " + result.error().to_string());
  }

  void fault(const std::string& what) {
    if (!disk_may_fail_) tell_(Report::fault(what));
  }

  const Place& place_;
  const Tell& tell_;
  const bool disk_may_fail_;
};

}  // namespace

void run_script(const Place& place, const Tell& tell) { Script(place, tell, false).run(); }

void run_script_on_bad_disk(const Place& place, const Tell& tell) {
  Script(place, tell, true).run();
}

std::vector<std::string> leftovers(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".before-v") != std::string::npos) names.push_back(name);
  }
  return names;
}

}  // namespace clever::storage::crash
