#include "provider/internal/variables.h"

namespace clever::provider::internal {

std::string value_of(const io::Environment& environment, std::string_view name) {
  return environment.value(name).value_or("");
}

std::string first_set(const io::Environment& environment,
                      const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    if (!value_of(environment, name).empty()) return std::string(name);
  }
  return {};
}

}  // namespace clever::provider::internal
