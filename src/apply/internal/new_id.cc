#include "apply/internal/new_id.h"

#include "base/random.h"
#include "base/ulid.h"

namespace clever::apply::internal {

std::string new_id() {
  base::SystemClock clock;
  base::SystemRandom random;
  return base::UlidGenerator(clock, random).next().to_string();
}

}  // namespace clever::apply::internal
