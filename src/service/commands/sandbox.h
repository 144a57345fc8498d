#pragma once
// What the sandbox commands share. Private to the module.
#include "base/random.h"
#include "base/result.h"
#include "base/ulid.h"
#include "model/id.h"
#include "service/commands/db.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/report.h"
#include "storage/owner_lock.h"
#include "tool/command_world.h"

namespace clever::service {

/// How the commands of plans on a project run, as its settings want it. For any thread.
[[nodiscard]] base::Result<tool::CommandOptions> command_options(
    bool unconfined, const config::Settings& settings, const std::filesystem::path& project_root,
    const Context& context);

/// How commands run, as the settings and the command line want it; `shared_folder` keeps what
/// sandbox.setup made.
[[nodiscard]] base::Result<tool::CommandOptions> command_options(
    const Invocation& invocation, Context& context, const std::filesystem::path& project_root,
    const std::filesystem::path& shared_folder);

/// A Run made with (invocation, context, engine, owner, ids), run and cleaned up after as an owner
/// of its own.
template <class Run>
[[nodiscard]] base::Result<Report> run_as_owner(const storage::DatabaseUrl& url,
                                                const Invocation& invocation, Context& context) {
  CLEVER_TRY(require_lasting(url));
  CLEVER_ASSIGN(const auto engine,
                context.databases().open(url, engine_options(context), context.stop()));
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(const auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  Run run(invocation, context, *engine, owner, ids);
  auto report = run.run();
  run.clean_up();
  return report;
}

/// --network, --unconfined and --timeout.
[[nodiscard]] std::vector<Option> command_flags();

}  // namespace clever::service
