#pragma once
#include <filesystem>
#include <string>
#include <utility>

#include "confine/confined_process.h"
#include "support/built_paths.h"

// Commands in the confinement of the build that is tested. Link clever_confine_launcher.
namespace clever::test {

/// Starts the program of the build that is nothing but a supervisor.
inline confine::Launcher confine_launcher() { return {.argv = {confine_supervisor_program()}}; }

/// A program that tries to get out, test/support/confine_probe.cc.
inline std::filesystem::path confine_probe() { return confine_probe_program(); }

/// A shell script in /tmp.
inline confine::Command confined_shell(std::string script) {
  return {.argv = {"sh", "-c", std::move(script)},
          .working_directory = "/tmp",
          .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}};
}

inline base::Result<confine::Output> run_confined(const confine::Command& command,
                                                  std::string_view input = {}) {
  constexpr std::size_t kLimit = std::size_t{4} << 20U;
  return confine::run(confine_launcher(), command, input, kLimit, {}, base::Deadline::never());
}

}  // namespace clever::test
