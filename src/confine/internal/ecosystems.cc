#include "confine/internal/ecosystems.h"

namespace clever::confine::internal {

const std::vector<Ecosystem>& ecosystems() {
  static const std::vector<Ecosystem> kAll = {
      {"npm", "package.json", "node_modules"},
      {"npm", "package.json", "bower_components"},
      {"Yarn", "yarn.lock", ".yarn"},
      {"Next.js", "next.config.*", ".next"},
      {"Nuxt", "nuxt.config.*", ".nuxt"},
      {"Python", "tox.ini", ".tox"},
      {"Python", "noxfile.py", ".nox"},
      {"Python", "pyproject.toml", "__pypackages__"},
      {"Cargo", "Cargo.toml", "target"},
      {"Go", "go.mod", "vendor"},
      {"Composer", "composer.json", "vendor"},
      {"Bundler", "Gemfile", "vendor"},
      {"Bundler", "Gemfile", ".bundle"},
      {"Maven", "pom.xml", "target"},
      {"Gradle", "build.gradle*", "build"},
      {"Gradle", "build.gradle*", ".gradle"},
      {"Gradle", "settings.gradle*", ".gradle"},
      {"sbt", "build.sbt", "target"},
      {"sbt", "build.sbt", ".bsp"},
      {"Leiningen", "project.clj", "target"},
      {"Clojure", "deps.edn", ".cpcache"},
      {".NET", "*.csproj", "bin"},
      {".NET", "*.csproj", "obj"},
      {".NET", "*.fsproj", "obj"},
      {"Mix", "mix.exs", "deps"},
      {"Mix", "mix.exs", "_build"},
      {"rebar", "rebar.config", "_build"},
      {"Dune", "dune-project", "_build"},
      {"opam", "*.opam", "_opam"},
      {"Cabal", "*.cabal", "dist-newstyle"},
      {"Stack", "stack.yaml", ".stack-work"},
      {"Swift", "Package.swift", ".build"},
      {"CocoaPods", "Podfile", "Pods"},
      {"Dart", "pubspec.yaml", ".dart_tool"},
      {"Zig", "build.zig", "zig-cache"},
      {"Zig", "build.zig", ".zig-cache"},
      {"Zig", "build.zig", "zig-out"},
      {"Elm", "elm.json", "elm-stuff"},
      {"vcpkg", "vcpkg.json", "vcpkg_installed"},
      {"Deno", "deno.json*", "vendor"},
  };
  return kAll;
}

const std::vector<TelltaleFolder>& telltale_folders() {
  static const std::vector<TelltaleFolder> kAll = {
      {"a virtual environment of Python", "pyvenv.cfg"},
      {"a build tree of CMake", "CMakeCache.txt"},
      {"a build tree of Meson", "meson-info"},
      {"a build tree of autotools", "config.status"},
      {"a cache", "CACHEDIR.TAG"},
  };
  return kAll;
}

}  // namespace clever::confine::internal
