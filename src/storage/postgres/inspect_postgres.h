#pragma once
#include "storage/inspection.h"

namespace clever::storage {

/// See inspect().
[[nodiscard]] base::Result<Inspection> inspect_postgres(const DatabaseUrl& url, base::Clock& clock,
                                                        const base::StopToken& stop);

}  // namespace clever::storage
