#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "confine/world.h"

namespace clever::confine {
namespace {

// The variables that commands get. An allow-list, because a list of secrets would never be
// complete.
constexpr std::array<std::string_view, 30> kKept = {"LANG",
                                                    "LANGUAGE",
                                                    "TZ",
                                                    "USER",
                                                    "LOGNAME",
                                                    "SHELL",
                                                    "CC",
                                                    "CXX",
                                                    "CFLAGS",
                                                    "CXXFLAGS",
                                                    "CPPFLAGS",
                                                    "LDFLAGS",
                                                    "JAVA_HOME",
                                                    "GOROOT",
                                                    "GOPATH",
                                                    "CARGO_HOME",
                                                    "RUSTUP_HOME",
                                                    "NVM_DIR",
                                                    "PYENV_ROOT",
                                                    "RBENV_ROOT",
                                                    "SDKMAN_DIR",
                                                    "VOLTA_HOME",
                                                    "ANDROID_HOME",
                                                    "DOTNET_ROOT",
                                                    "PKG_CONFIG_PATH",
                                                    "CMAKE_PREFIX_PATH",
                                                    "LD_LIBRARY_PATH",
                                                    "CMAKE_GENERATOR",
                                                    "SOURCE_DATE_EPOCH",
                                                    "MAVEN_HOME"};

bool is_kept(std::string_view name) {
  return std::ranges::find(kKept, name) != kKept.end() || name.starts_with("LC_");
}

// "https://user:password@host" may occur anywhere in the value.
bool holds_credentials(std::string_view value) {
  const std::size_t scheme = value.find("://");
  return scheme != std::string_view::npos && value.find('@', scheme) != std::string_view::npos;
}

std::optional<std::string_view> find(const std::vector<std::string>& environment,
                                     std::string_view name) {
  for (const std::string_view entry : environment) {
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=') {
      return entry.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

// Drops relative parts, which would mean another folder in every working directory.
std::string search_path(const std::vector<std::string>& environment) {
  std::string result;
  std::string_view rest = find(environment, "PATH").value_or("");
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (!part.starts_with('/')) continue;
    if (!result.empty()) result += ':';
    result += part;
  }
  return result.empty() ? "/usr/local/bin:/usr/bin:/bin" : result;
}

}  // namespace

std::vector<std::string> clean_environment(const WorldOptions& options) {
  std::vector<std::string> clean = {"PATH=" + search_path(options.environment),
                                    "HOME=" + options.home.string(),
                                    "TMPDIR=/tmp",
                                    "TERM=dumb",
                                    "NO_COLOR=1",
                                    "PAGER=cat",
                                    "GIT_PAGER=cat",
                                    "GIT_TERMINAL_PROMPT=0",
                                    "DEBIAN_FRONTEND=noninteractive"};
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view text = entry;
    if (is_kept(text.substr(0, equals)) && !holds_credentials(text.substr(equals + 1))) {
      clean.push_back(entry);
    }
  }
  if (!find(clean, "LANG")) clean.emplace_back("LANG=C.UTF-8");
  return clean;
}

}  // namespace clever::confine
