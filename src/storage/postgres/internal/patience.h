#pragma once
#include "base/deadline.h"
#include "base/stop_token.h"

namespace clever::storage::postgres {

/// How long a caller waits for the server. A value.
struct Patience {
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
};

}  // namespace clever::storage::postgres
