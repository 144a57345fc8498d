#include "io/environment.h"

#include <pwd.h>
#include <unistd.h>

#include <vector>

namespace clever::io {
namespace {

std::optional<std::string> home_of_user_database() {
  std::vector<char> buffer(16384);
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr || found->pw_dir == nullptr || *found->pw_dir == '\0') return std::nullopt;
  return found->pw_dir;
}

}  // namespace

Environment Environment::of_process() {
  Entries entries;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      entries.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return Environment(std::move(entries));
}

std::optional<std::string> Environment::value(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  return found->second;
}

std::filesystem::path user_home(const Environment& environment) {
  if (auto home = environment.value("HOME"); home && !home->empty()) return *home;
  return home_of_user_database().value_or("/");
}

}  // namespace clever::io
