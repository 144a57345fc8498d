#pragma once
// What a shell offers for values that have to be looked up.
#include <string>
#include <vector>

#include "service/command.h"
#include "service/context.h"

namespace clever::service {

struct CompleteValue {
  std::string text{};
  std::string summary{};
};

/// Plans of this folder, models and aliases, profiles, actors. What cannot be read offers nothing:
/// a shell has no place for an error. Creates nothing and asks no network.
[[nodiscard]] std::vector<CompleteValue> complete_values(Completes kind, Context& context);

}  // namespace clever::service
