#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "confine/command.h"
#include "git/secret_paths.h"

namespace clever::confine {

/// What a person's settings say about commands. A value.
struct WorldOptions {
  /// The user's home, and our own (CLEVERAGENTS_HOME): both invisible inside.
  std::filesystem::path home;
  std::filesystem::path own_home;
  std::vector<std::string> environment;  // of this process
};

/// The clean environment of a command: PATH, HOME (an empty folder inside), LANG, TERM=dumb, USER …
/// and nothing that names a key, token or socket.
[[nodiscard]] std::vector<std::string> clean_environment(const WorldOptions& options);

/// A home folder of the command's own, empty, in memory, and in it the package caches and
/// toolchains of the user's that hold no credentials, as read-only mounts. To be put before other
/// mounts, which may lie in the home folder. (~/.cargo/registry, ~/.rustup, ~/go/pkg/mod,
/// ~/.m2/repository, ~/.npm/_cacache,
/// ~/.cache/pip, ~/.nvm, ~/.pyenv, …).
[[nodiscard]] std::vector<Mount> cache_mounts(const WorldOptions& options);

/// `invalid_argument` names a text that Command::hosts cannot hold, and what it can.
[[nodiscard]] base::Result<void> check_hosts(const std::vector<std::string>& hosts);

/// A part of the checkout that git ignores and that commands need: dependencies and build trees.
struct DependencyFolder {
  std::string path;  // relative; may be a file, if it was listed
  std::string why;   // "npm", ".worktreeinclude", "sandbox.include"
};

/// Found per ecosystem (node_modules beside package.json, .venv, target beside Cargo.toml, vendor,
/// build trees with a CMakeCache.txt, …), by `.worktreeinclude` (gitignore patterns) and by
/// `include` (such patterns too). What `git::SecretPaths` hides is there only if `include` lists it
/// by name; other names that secrets have (*.pem, credentials.json) must be listed by name in
/// either. Sorted; nothing that git tracks, no links, nothing inside another one. Reads the names
/// of the whole checkout, down to eight folders deep: ask once per base.
[[nodiscard]] base::Result<std::vector<DependencyFolder>> dependency_folders(
    const std::filesystem::path& checkout, const std::vector<std::string>& include);

}  // namespace clever::confine
