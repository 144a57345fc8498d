#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::storage::crash {

/// The names of all crash points in the sources of these modules, read from the sources themselves:
/// a new one cannot be forgotten.
[[nodiscard]] std::vector<std::string> crash_points(const std::vector<std::string_view>& modules = {
                                                        "storage", "worker"});

}  // namespace clever::storage::crash
