#pragma once
#include "config/schema.h"

namespace clever::config::internal {

/// Every key of this program, in display order.
[[nodiscard]] Schema all_keys();

/// Every kind of table (`[[name]]`).
[[nodiscard]] TableSchema all_tables();

}  // namespace clever::config::internal
