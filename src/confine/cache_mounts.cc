#include <array>

#include "confine/world.h"
#include "io/file.h"

namespace clever::confine {
namespace {

// Below the home folder: toolchains and packages, without the files that hold keys
// (~/.cargo/credentials.toml, ~/.m2/settings.xml, ~/.npmrc, ~/.gem/credentials …).
constexpr std::array kCaches = {
    // Rust
    ".cargo/registry", ".cargo/git", ".cargo/bin", ".rustup",
    // Go
    "go/pkg/mod", "go/bin", ".cache/go-build",
    // Java
    ".m2/repository", ".m2/wrapper", ".gradle/caches", ".gradle/wrapper", ".sdkman/candidates",
    ".ivy2/cache", ".cache/coursier",
    // JavaScript
    ".npm/_cacache", ".cache/yarn", ".yarn/berry/cache", ".local/share/pnpm", ".cache/pnpm", ".nvm",
    ".volta", ".local/share/fnm", ".bun/bin", ".bun/install", ".deno", ".cache/deno", ".cache/node",
    ".cache/ms-playwright", ".cache/Cypress", ".cache/electron",
    // Python
    ".cache/pip", ".cache/uv", ".cache/pypoetry", ".cache/pre-commit", ".pyenv", ".local/share/uv",
    ".local/share/virtualenvs", ".local/lib", ".local/bin", "miniconda3", "anaconda3", "miniforge3",
    // Ruby, PHP
    ".rbenv", ".rvm", ".gem/ruby", ".bundle/cache", ".cache/composer", ".composer/cache",
    // Others
    ".nuget/packages", ".dotnet", ".pub-cache/hosted", ".hex/packages", ".mix", ".opam",
    ".cabal/packages", ".cabal/store", ".ghcup", ".stack/programs", ".stack/snapshots",
    ".julia/packages", ".conan2/p", ".asdf", ".local/share/mise", ".cache/ccache", ".ccache",
    ".cache/zig", ".swiftpm/cache"};

}  // namespace

std::vector<Mount> cache_mounts(const WorldOptions& options) {
  std::vector<Mount> mounts;
  const auto& home = options.home;
  if (!home.is_absolute() || home == home.root_path()) return mounts;
  mounts.push_back({.kind = Mount::Kind::kTemporary, .target = home});
  for (const char* name : kCaches) {
    const std::filesystem::path folder = home / name;
    if (io::file_kind(folder) != io::FileKind::kDirectory) continue;
    mounts.push_back({.kind = Mount::Kind::kReadOnly, .target = folder, .source = folder});
  }
  return mounts;
}

}  // namespace clever::confine
