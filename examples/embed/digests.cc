// digests FILE…: the SHA-256 of many files, hashed in parallel, printed in the order given.
//
// Shows how parts of CleverAgents are used in another program: a ThreadPool and a TaskGroup do the
// work, what the tasks share is Guarded, a Strand reports progress in order without a lock, a run
// is named by a ULID, and every failure is a Result.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/random.h"
#include "base/result.h"
#include "base/sha256.h"
#include "base/strand.h"
#include "base/task_group.h"
#include "base/thread_pool.h"
#include "base/ulid.h"

namespace {

namespace base = clever::base;
using Digests = base::Guarded<std::map<std::string, base::Sha256Digest>>;

base::Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) return base::not_found("cannot read " + path);
  return bytes;
}

base::Result<void> hash_file(const std::string& path, Digests& digests) {
  CLEVER_ASSIGN(const std::string bytes, read_file(path));
  const base::Sha256Digest digest = base::sha256(bytes);
  digests.with([&](auto& by_path) { by_path[path] = digest; });
  return {};
}

base::Result<void> run(const std::vector<std::string>& paths) {
  base::SystemClock clock;
  base::SystemRandom random;
  base::UlidGenerator ids(clock, random);
  base::ThreadPool pool({.name = "hash"});
  std::size_t done = 0;  // touched on the strand only, and outlives it
  base::Strand progress(pool);
  Digests digests;

  std::cerr << "run " << ids.next().to_string() << '\n';
  base::TaskGroup tasks(pool);
  for (const std::string& path : paths) {
    CLEVER_TRY(tasks.spawn([&, path](const base::StopToken&) -> base::Result<void> {
      CLEVER_TRY(hash_file(path, digests));
      return progress.post([&] { std::cerr << ++done << " of " << paths.size() << '\n'; });
    }));
  }
  CLEVER_TRY(tasks.wait());
  CLEVER_TRY(progress.drain({}, base::Deadline::never()));
  for (const std::string& path : paths) {
    const auto digest = digests.with([&](const auto& by_path) { return by_path.at(path); });
    std::cout << digest.to_hex() << "  " << path << '\n';
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto outcome = run({argv + 1, argv + argc});
  if (outcome.ok()) return EXIT_SUCCESS;
  std::cerr << "digests: " << outcome.error().sentence() << '\n';
  return EXIT_FAILURE;
}
