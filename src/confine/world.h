#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "confine/command.h"
#include "git/secret_paths.h"

namespace clever::confine {

/// A person's settings for commands. A value.
struct WorldOptions {
  /// The user's home, and our own (CLEVERAGENTS_HOME): both invisible inside.
  std::filesystem::path home;
  std::filesystem::path own_home;
  std::vector<std::string> environment;  // of this process
};

/// The clean environment of a command: PATH, HOME (an empty folder inside), LANG, TERM=dumb, USER …
/// and nothing that names a key, token or socket.
[[nodiscard]] std::vector<std::string> clean_environment(const WorldOptions& options);

/// An empty home folder in memory, and in it the user's package caches and toolchains that hold no
/// credentials, as read-only mounts. Put it before other mounts, which may lie in the home folder.
/// (~/.cargo/registry, ~/.rustup, ~/go/pkg/mod, ~/.m2/repository, ~/.npm/_cacache, ~/.cache/pip,
/// ~/.nvm, ~/.pyenv, …).
[[nodiscard]] std::vector<Mount> cache_mounts(const WorldOptions& options);

/// `invalid_argument` names an invalid text for Command::hosts, and what is valid.
[[nodiscard]] base::Result<void> check_hosts(const std::vector<std::string>& hosts);

/// An ignored part of the checkout that commands need: dependencies and build trees.
struct DependencyFolder {
  std::string path;  // relative; may be a file, if it was listed
  std::string why;   // "npm", ".worktreeinclude", "sandbox.include"
};

/// Found per ecosystem (node_modules beside package.json, .venv, target beside Cargo.toml, vendor,
/// build trees with a CMakeCache.txt, …), by `.worktreeinclude` (gitignore patterns) and by
/// `include` (such patterns too). A file that `git::SecretPaths` hides is included only if
/// `include` lists it by name; other names of secrets (*.pem, credentials.json) must be listed by
/// name in either. Sorted; no tracked files, no links, nothing inside another one. Reads the names
/// of the whole checkout, down to eight folders deep: call it once per base.
[[nodiscard]] base::Result<std::vector<DependencyFolder>> dependency_folders(
    const std::filesystem::path& checkout, const std::vector<std::string>& include);

}  // namespace clever::confine
