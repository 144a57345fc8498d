#pragma once
#include <cstddef>

#include "support/campaign.h"

namespace clever::test {

/// campaign() for pure logic, whose cases the dev build covers: AddressSanitizer takes a tenth of
/// the sample, to see each path once.
inline std::size_t logic_campaign(std::size_t sample, std::size_t full) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  sample = (sample + 9) / 10;
#endif
#endif
  return campaign(sample, full);
}

}  // namespace clever::test
