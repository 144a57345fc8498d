#pragma once
#include "crash/place.h"
#include "crash/report.h"

namespace clever::storage::crash {

/// A short life of a database, by one thread and the same each time: first run, closing, opening,
/// rewriting (vacuum), a copy (backup), an upgrade of the schema; and in between a little of the
/// mixed load.
void run_script(const Place& place, const Tell& tell);
/// The same where the disk may fail: what fails is left undone, and the rest is tried.
void run_script_on_bad_disk(const Place& place, const Tell& tell);

/// Runs that the script numbers; whoever comes after begins here.
inline constexpr int kRunsOfScript = 4;

/// Names in the folder that an upgrade leaves only if it is cut short: none once the database has
/// been opened again.
[[nodiscard]] std::vector<std::string> leftovers(const std::filesystem::path& folder);

}  // namespace clever::storage::crash
