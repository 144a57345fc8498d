#pragma once

namespace clever::confine::internal {

/// In coverage builds: processes forked from here on share this one's counters, since most of them
/// cannot write their own. Otherwise does nothing.
void share_coverage_counters();

}  // namespace clever::confine::internal
