#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace clever::io {

/// The text of a system error number, from any thread.
[[nodiscard]] std::string system_message(int number);

/// "cannot read /a/b: Permission denied", with the matching code.
[[nodiscard]] base::Error system_error(int number, std::string_view doing);
[[nodiscard]] base::Error system_error(int number, std::string_view doing,
                                       const std::filesystem::path& path);

}  // namespace clever::io
