#pragma once

namespace clever::confine::internal {

/// In builds that measure coverage: from here on the processes forked from this one count together
/// with it, for most of them cannot write down what they counted. Elsewhere nothing.
void share_coverage_counters();

}  // namespace clever::confine::internal
