#pragma once
#include <string>
#include <vector>

namespace clever::storage::crash {

/// The names of all crash points in the sources of storage and worker, read from the sources
/// themselves: a new one cannot be forgotten.
[[nodiscard]] std::vector<std::string> crash_points();

}  // namespace clever::storage::crash
