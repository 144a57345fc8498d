#pragma once
#include "crash/place.h"
#include "crash/report.h"

namespace clever::storage::crash {

/// Makes the plan that all writers append to.
void create_shared_plan(const Place& place, const Tell& tell);

struct Writers {
  int process = 0;
  int threads = 8;
  /// Of each thread, as often as it takes until so many have gone through.
  int appends = 4;
};

/// Many writers on one plan: each reads where the journal is, appends there, and tries again if
/// somebody was faster.
void run_writers(const Place& place, const Writers& writers, const Tell& tell);

}  // namespace clever::storage::crash
