#pragma once
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/project.h"

// Remotes of a person's repository, and what is pushed to them. Plain functions, safe from any
// thread; each blocks its thread.
namespace clever::git {

/// The remote that a branch ("main") is pushed to, by the person's own git settings; else "origin",
/// else the only one. `not_found` without a remote, or if several could be meant.
[[nodiscard]] base::Result<std::string> push_remote(const Project& project,
                                                    const std::string& branch,
                                                    const base::StopToken& stop = {});

/// The URL to which it pushes, as it is written in the settings: rewritten by no insteadOf.
/// `not_found` if there is no such remote.
[[nodiscard]] base::Result<std::string> remote_url(const Project& project,
                                                   const std::string& remote,
                                                   const base::StopToken& stop = {});

struct CommitWords {
  std::string id{};
  std::string subject{};
  std::string body{};
};
/// The commit that `revision` names. `not_found` if there is none.
[[nodiscard]] base::Result<CommitWords> commit_words(const Project& project,
                                                     const std::string& revision,
                                                     const base::StopToken& stop = {});

struct Push {
  std::string remote{};
  /// A commit or a branch of this repository.
  std::string source{};
  /// The branch of the remote: "fix", without refs/heads/.
  std::string branch{};
  /// Replaces what is there, unless another person pushed in between.
  bool force = false;
};
/// Pushes with the person's own credentials, which git never asks for; no hook runs. `conflict` if
/// the remote has commits that this repository does not; `unavailable` for every other failure,
/// with git's words.
[[nodiscard]] base::Result<void> push(const Project& project, const Push& push,
                                      const base::StopToken& stop, base::Deadline deadline);

}  // namespace clever::git
