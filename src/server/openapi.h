#pragma once
#include "model/document.h"

namespace clever::server {

/// Makes the OpenAPI 3.1 document of the table of routes. Pure.
[[nodiscard]] model::Document openapi_document();

}  // namespace clever::server
