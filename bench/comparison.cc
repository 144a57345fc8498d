#include "comparison.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace clever::bench {
namespace {

class Comparison final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override {
    std::printf("{\n  \"processors\": %d,\n  \"comparisons\": [", context.cpu_info.num_cpus);
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.aggregate_name != "median") continue;
      std::string name = run.run_name.function_name;
      if (!run.run_name.args.empty()) name += "/" + run.run_name.args;
      const double items = run.counters.contains("items") ? run.counters.at("items").value : 1;
      // Real time per item: what a user waits for.
      medians_[name] = run.GetAdjustedRealTime() / items;
    }
  }

  void Finalize() override {
    const char* separator = "";
    for (const auto& [name, ours] : medians_) {
      const std::size_t at = name.find("/ours");
      if (at == std::string::npos) continue;
      std::string peer_name = name;
      peer_name.replace(at, 5, "/peer");
      const auto peer = medians_.find(peer_name);
      if (peer == medians_.end()) continue;
      std::string what = name;
      what.erase(at, 5);
      std::printf(
          "%s\n    {\"what\": \"%s\", \"ours_ns\": %.1f, \"peer_ns\": %.1f, \"ratio\": %.2f}",
          separator, what.c_str(), ours, peer->second, peer->second / ours);
      separator = ",";
    }
    std::printf("\n  ]\n}\n");
  }

 private:
  std::map<std::string, double> medians_;
};

}  // namespace

int run(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, {"--benchmark_repetitions=7", "--benchmark_min_time=0.1",
                                           "--benchmark_enable_random_interleaving=true"});
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
  Comparison comparison;
  benchmark::RunSpecifiedBenchmarks(&comparison);
  return 0;
}

}  // namespace clever::bench
