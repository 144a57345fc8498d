#pragma once
// Runs Google Benchmark so that ours and a peer are measured in turns, and prints one JSON
// document.
//
// A benchmark named "what/ours/…" is compared with "what/peer/…": the ratio is the peer's median
// time over ours, so above 1 we are ahead. Repetitions are interleaved at random, so that a slow
// minute of the machine hits both.

#include <benchmark/benchmark.h>

namespace clever::bench {

/// Runs everything registered; returns the exit status for main().
int run(int argc, char** argv);

}  // namespace clever::bench
