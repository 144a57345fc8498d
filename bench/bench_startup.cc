// How long a person waits for the program to start: from spawning it until it has ended.
//   version, help    peer: /bin/true, the price of any process on this machine
// Subtract the peer: that is what agents adds.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "comparison.h"

namespace {

void spawn_and_wait(benchmark::State& state, const char* program, const char* argument) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const std::array<const char*, 3> arguments{program, argument, nullptr};
  for (auto _ : state) {
    pid_t child = 0;
    int status = 0;
    if (::posix_spawn(&child, program, &quiet, nullptr, const_cast<char**>(arguments.data()),
                      environ) != 0 ||
        ::waitpid(child, &status, 0) != child || status != 0) {
      state.SkipWithError("the program could not be run");
      break;
    }
  }
  posix_spawn_file_actions_destroy(&quiet);
}

void version(benchmark::State& state) { spawn_and_wait(state, CLEVER_AGENTS, "version"); }
void help(benchmark::State& state) { spawn_and_wait(state, CLEVER_AGENTS, "--help"); }
void bare(benchmark::State& state) { spawn_and_wait(state, "/bin/true", nullptr); }

BENCHMARK(version)->Name("version/ours")->UseRealTime();
BENCHMARK(bare)->Name("version/peer")->UseRealTime();
BENCHMARK(help)->Name("help/ours")->UseRealTime();
BENCHMARK(bare)->Name("help/peer")->UseRealTime();

}  // namespace

int main(int argc, char** argv) { return clever::bench::run(argc, argv); }
