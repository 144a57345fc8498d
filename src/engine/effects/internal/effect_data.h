#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The JSON that effects are requested with (plan/state.h). `corruption` names the key that is
// missing or wrong. Private to the module.
namespace clever::engine::internal {

[[nodiscard]] base::Result<std::string> text_in(std::string_view data, std::string_view key);
/// 0 if it is not there. Total.
[[nodiscard]] std::int64_t number_in(std::string_view data, std::string_view key);
[[nodiscard]] base::Result<std::vector<std::string>> texts_in(std::string_view data,
                                                              std::string_view key);

/// Of a tools.run: for each of its calls why it is answered without being run, or nothing. Total.
[[nodiscard]] std::vector<std::string> refusals_in(std::string_view data);

}  // namespace clever::engine::internal
