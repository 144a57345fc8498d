#include "git/push.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "git/git_command.h"
#include "io/environment.h"

namespace clever::git {
namespace {

// The value of a setting, or nothing.
std::string setting(const Project& project, const std::string& name, const base::StopToken& stop) {
  const auto result = run_git(project.root, {"config", "--get", name}, {.stop = stop});
  if (!result.ok() || !result->succeeded()) return {};
  return std::string(base::trimmed(result->output));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// ssh asks for nothing, unless the person's settings say how to call it.
std::vector<std::string> environment_of_push(const Project& project, const base::StopToken& stop) {
  const io::Environment environment = io::Environment::of_process();
  for (const char* name : {"GIT_SSH_COMMAND", "GIT_SSH"}) {
    if (const auto value = environment.value(name)) return {std::string(name) + "=" + *value};
  }
  if (!setting(project, "core.sshCommand", stop).empty()) return {};
  return {"GIT_SSH_COMMAND=ssh -o BatchMode=yes"};
}

}  // namespace

base::Result<std::string> push_remote(const Project& project, const std::string& branch,
                                      const base::StopToken& stop) {
  for (const std::string& name :
       {"branch." + branch + ".pushRemote", std::string("remote.pushDefault"),
        "branch." + branch + ".remote"}) {
    std::string remote = setting(project, name, stop);
    if (!remote.empty() && remote != ".") return remote;
  }
  CLEVER_ASSIGN(const std::string text, git_output(project.root, {"remote"}, {.stop = stop}));
  const std::vector<std::string> remotes = lines_of(text);
  if (std::ranges::find(remotes, "origin") != remotes.end()) return std::string("origin");
  if (remotes.size() == 1) return remotes.front();
  if (remotes.empty()) {
    return base::not_found(
        "this repository has no remote: add one with `git remote add origin URL`");
  }
  return base::not_found("this repository has " + std::to_string(remotes.size()) +
                         " remotes and none is called origin: name one with --remote");
}

base::Result<std::string> remote_url(const Project& project, const std::string& remote,
                                     const base::StopToken& stop) {
  for (const char* key : {".pushurl", ".url"}) {
    std::string url = setting(project, "remote." + remote + key, stop);
    if (!url.empty()) return url;
  }
  return base::not_found("this repository has no remote '" + remote +
                         "': `git remote -v` lists its remotes");
}

base::Result<CommitWords> commit_words(const Project& project, const std::string& revision,
                                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto result,
                run_git(project.root,
                        {"log", "-1", "--no-show-signature", "--format=%H%n%s%n%b",
                         "--end-of-options", revision, "--"},
                        {.stop = stop}));
  if (!result.succeeded()) {
    return base::not_found("this repository has no commit '" + revision + "'");
  }
  const std::string& text = result.output;
  const std::size_t first = std::min(text.find('\n'), text.size());
  const std::size_t second = std::min(text.find('\n', first + 1), text.size());
  CommitWords words{.id = text.substr(0, first)};
  if (first < text.size()) words.subject = text.substr(first + 1, second - first - 1);
  if (second < text.size()) words.body = std::string(base::trimmed(text.substr(second + 1)));
  return words;
}

base::Result<void> push(const Project& project, const Push& push, const base::StopToken& stop,
                        base::Deadline deadline) {
  std::vector<std::string> arguments{"push", "--quiet", "--no-verify"};
  if (push.force) arguments.emplace_back("--force-with-lease");
  arguments.insert(arguments.end(),
                   {"--", push.remote, push.source + ":refs/heads/" + push.branch});
  CLEVER_ASSIGN(const auto result, run_git(project.root, std::move(arguments),
                                           {.environment = environment_of_push(project, stop),
                                            .remotes = true,
                                            .stop = stop,
                                            .deadline = deadline}));
  if (result.succeeded()) return {};
  const std::string complaint = git_complaint(result);
  if (complaint.contains("[rejected]")) {
    return base::conflict("the branch " + push.branch + " of " + push.remote +
                          " has commits that are not here: pull them, or replace that branch with "
                          "--force");
  }
  return base::unavailable("git could not push to " + push.remote + ": " + complaint +
                           "; `git push " + push.remote + "` must work by itself first");
}

}  // namespace clever::git
