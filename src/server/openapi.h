#pragma once
#include "model/document.h"

namespace clever::server {

/// The table of routes as an OpenAPI 3.1 document. Pure.
[[nodiscard]] model::Document openapi_document();

}  // namespace clever::server
