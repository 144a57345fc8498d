#pragma once
// What the db commands share. Private to the module.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "storage/engine.h"
#include "storage/inspection.h"

namespace clever::service {

/// What a db command does with its database.
using DatabaseWork = base::Result<Report> (*)(const storage::DatabaseUrl& url,
                                              const Invocation& invocation, Context& context);

/// Does it with the database that --database or the settings name. A failure becomes a report that
/// says what can be done about it.
[[nodiscard]] base::Result<Report> with_database(DatabaseWork work, const Invocation& invocation,
                                                 Context& context);

/// The one that --database or the settings name.
[[nodiscard]] base::Result<storage::DatabaseUrl> database_url(const Invocation& invocation,
                                                              Context& context);

/// As the settings want it opened.
[[nodiscard]] storage::EngineOptions engine_options(Context& context);

enum class Schema : std::uint8_t {
  kAsItIs,  // left at the version it has: looking at an old backup does not upgrade it
  kNewest,
};
/// `not_found` if it does not exist: only `db migrate` makes one.
[[nodiscard]] base::Result<std::shared_ptr<storage::Engine>> open_existing(
    const storage::DatabaseUrl& url, Context& context, Schema schema);

/// `invalid_argument` for one in memory, which ends with its process.
[[nodiscard]] base::Result<void> require_lasting(const storage::DatabaseUrl& url);

/// What can be done about a failure of this kind; empty: the message says it all.
[[nodiscard]] std::string_view cure(base::ErrorCode code, const storage::DatabaseUrl& url);

[[nodiscard]] Option database_option();

/// "1 plan", "1,234 events"
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);
/// "1,234"
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace clever::service
