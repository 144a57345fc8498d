#include "diff/internal/identity.h"

namespace clever::diff::internal {

Identity& Identity::add(std::string_view field) {
  add(field.size());
  hash_.update(field);
  return *this;
}

Identity& Identity::add(std::uint64_t number) {
  hash_.update(std::to_string(number)).update(":");
  return *this;
}

std::string Identity::finish() { return hash_.finish().to_hex().substr(0, 16); }

std::string Numbering::number(std::string name) {
  const std::uint64_t count = ++seen_[name];
  if (count > 1) name.append("-").append(std::to_string(count));
  return name;
}

}  // namespace clever::diff::internal
