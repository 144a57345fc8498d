#pragma once
#include "service/context.h"
#include "service/view.h"

// What `agents diagnostics` looks at, one function and file per section. They change nothing.
// Private to the module.
namespace clever::service {

[[nodiscard]] Checks check_toolchain();
[[nodiscard]] Checks check_settings(Context& context);
[[nodiscard]] Checks check_home(Context& context);
[[nodiscard]] Checks check_database(Context& context);
[[nodiscard]] Checks check_providers(Context& context);
[[nodiscard]] Checks check_git(Context& context);
[[nodiscard]] Checks check_confinement(Context& context);

/// "512 MiB", "12.4 GiB"
[[nodiscard]] std::string readable_size(std::uint64_t bytes);
/// "rwx------"
[[nodiscard]] std::string readable_mode(unsigned mode);

}  // namespace clever::service
