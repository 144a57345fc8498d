#pragma once
#include <string>

#include "model/document.h"

namespace clever::model {

/// A YAML 1.2 document in block style, every line ended. Strings are quoted wherever YAML 1.1 or
/// 1.2 would read something else into them.
[[nodiscard]] std::string to_yaml(const Document& document);

}  // namespace clever::model
