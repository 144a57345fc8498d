#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The parts of a server that decide what is kept (receipts, sessions, inbox, jobs, leases, notices,
// settings) in one thread from a seed: who goes on next, and when a process is killed. A seed that
// shows a violation is the bug report.
namespace clever::sim {

struct ServerSimOptions {
  std::uint64_t seed = 1;
  /// Kills, each between any two steps.
  int crashes = 0;
  int settings = 0;
  /// The job of a message is written behind it, not with it: for showing that this is found out.
  bool job_apart = false;
};

struct ServerSimOutcome {
  std::vector<std::string> violations{};
  std::size_t steps = 0;
  std::size_t acknowledged = 0;
  std::size_t unknown = 0;
  std::size_t notices = 0;
};

[[nodiscard]] ServerSimOutcome simulate_server(const ServerSimOptions& options);

}  // namespace clever::sim
