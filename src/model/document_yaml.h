#pragma once
#include <string>

#include "model/document.h"

namespace clever::model {

/// A YAML 1.2 document in block style, with a line end on every line. Quotes strings that YAML 1.1
/// or 1.2 would read as something else.
[[nodiscard]] std::string to_yaml(const Document& document);

}  // namespace clever::model
