#include "confine/internal/hidden.h"

#include <system_error>
#include <vector>

#include "io/environment.h"

namespace clever::confine::internal {

void add_hidden_homes(Command& command) {
  const auto environment = io::Environment::of_process();
  std::vector<std::filesystem::path> places = command.hidden;
  places.push_back(io::user_home(environment));
  // HOME may be any folder; the user database says where the keys are.
  places.push_back(io::user_home(io::Environment()));
  command.hidden.clear();
  for (const auto& place : places) {
    std::error_code missing;
    const auto real = std::filesystem::weakly_canonical(place, missing);
    // The whole file system cannot be hidden.
    if (!missing && real.is_absolute() && real != real.root_path()) {
      command.hidden.push_back(real);
    }
  }
}

}  // namespace clever::confine::internal
