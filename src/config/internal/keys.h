#pragma once
#include "config/schema.h"

namespace clever::config::internal {

/// Every key of this program, in the order in which they are shown.
[[nodiscard]] Schema all_keys();

/// Every kind of table (`[[name]]`).
[[nodiscard]] TableSchema all_tables();

}  // namespace clever::config::internal
