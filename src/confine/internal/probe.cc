#include "confine/internal/probe.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <sstream>

#include "confine/internal/mount_tree.h"
#include "confine/internal/system_calls.h"
#include "confine/internal/user_map.h"
#include "io/file.h"
#include "io/kernel_probe.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

constexpr unsigned long kUser = CLONE_NEWUSER;
constexpr unsigned long kMounts = kUser | CLONE_NEWNS | CLONE_NEWPID;

struct Namespace {
  const char* name;
  unsigned long flag;
};
constexpr std::array<Namespace, 7> kNamespaces = {{{"user namespaces", 0},
                                                   {"mount namespaces", CLONE_NEWNS},
                                                   {"process namespaces", CLONE_NEWPID},
                                                   {"IPC namespaces", CLONE_NEWIPC},
                                                   {"network namespaces", CLONE_NEWNET},
                                                   {"host name namespaces", CLONE_NEWUTS},
                                                   {"control group namespaces", CLONE_NEWCGROUP}}};

// Runs the function in a child with new namespaces; returns the child's reason if it failed.
base::Result<void> try_in(unsigned long namespaces,
                          const std::function<base::Result<void>()>& attempt) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return io::system_error(errno, "cannot create a pipe");
  const io::FileDescriptor reading(pipe[0]);
  io::FileDescriptor writing(pipe[1]);
  const User user{.number = ::geteuid(), .group = ::getegid()};
  int watch = -1;
  const pid_t child = fork_into(namespaces, watch);
  if (child == 0) {
    auto result = map_user(user);
    if (result.ok()) result = attempt();
    const std::string reason = result.ok() ? "" : result.error().message();
    const bool written = ::write(writing.number(), reason.data(), reason.size()) >= 0;
    ::_exit(result.ok() && written ? 0 : 1);
  }
  if (child < 0) return io::system_error(errno, "refused");
  const io::FileDescriptor ended(watch);
  writing.reset();
  std::array<char, 4096> reason{};
  const ssize_t size = ::read(reading.number(), reason.data(), reason.size());
  ::waitpid(child, nullptr, 0);
  if (size > 0) return base::unavailable({reason.data(), static_cast<std::size_t>(size)});
  return {};
}

base::Result<void> do_nothing() { return {}; }

base::Result<void> try_mounts() {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return io::system_error(errno, "mounts cannot be made private");
  }
  CLEVER_TRY(MountTree::of_host("/usr", MountTree::Access::kReadOnly));
  CLEVER_TRY(MountTree::terminals());
  CLEVER_TRY(MountTree::temporary(0755));
  CLEVER_TRY(MountTree::processes());
  return {};
}

base::Result<void> try_overlay() {
  CLEVER_TRY(try_mounts());
  CLEVER_ASSIGN(const MountTree scratch, MountTree::temporary(0755));
  const io::FileDescriptor place(::open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC));
  CLEVER_TRY(scratch.attach(place));
  for (const char* name : {"/tmp/lower", "/tmp/upper", "/tmp/work"}) ::mkdir(name, 0755);
  CLEVER_TRY(MountTree::overlay({"/tmp/lower"}, "/tmp/upper", "/tmp/work"));
  return {};
}

Feature feature(std::string name, bool required, const base::Result<void>& tried,
                std::string detail = {}) {
  return {.name = std::move(name),
          .required = required,
          .available = tried.ok(),
          .detail = tried.ok() ? std::move(detail) : tried.error().message()};
}

// Settings that distributions use to forbid features of the kernel.
std::string switched_off() {
  constexpr std::array<std::pair<const char*, const char*>, 3> kSwitches = {{
      {"kernel/unprivileged_userns_clone", "0"},
      {"kernel/apparmor_restrict_unprivileged_userns", "1"},
      {"user/max_user_namespaces", "0"},
  }};
  for (const auto& [name, off] : kSwitches) {
    const auto value = io::read_file(std::string("/proc/sys/") + name);
    if (value.ok() && value->starts_with(off) && value->size() <= 2) {
      std::string setting = name;
      setting.replace(setting.find('/'), 1, ".");
      return " (" + setting + " is " + off + ")";
    }
  }
  return {};
}

std::vector<Feature> found() {
  std::vector<Feature> features;
  for (const auto& [name, flag] : kNamespaces) {
    features.push_back(feature(name, true, try_in(kUser | flag, do_nothing)));
    if (!features.back().available) features.back().detail += switched_off();
  }
  features.push_back(feature("mounts of a namespace's own", true, try_in(kMounts, try_mounts)));
  features.push_back(feature("seccomp", true, try_in(kUser, [] { return filter_system_calls(); })));
  features.push_back(feature("overlay in a user namespace", false, try_in(kMounts, try_overlay)));
  const int abi = io::landlock_abi();
  features.push_back({.name = "Landlock",
                      .required = false,
                      .available = abi > 0,
                      .detail = abi > 0 ? "ABI " + std::to_string(abi) : "not offered"});
  const auto groups = io::control_groups();
  features.push_back({.name = "control groups",
                      .required = false,
                      .available = groups != io::ControlGroups::kNone,
                      .detail = std::string(io::to_string(groups))});
  return features;
}

// Keeps separators out of the parts, one line each.
std::string flat(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n') c = ' ';
  }
  return text;
}

}  // namespace

std::string features_text(const std::vector<Feature>& features) {
  std::string text;
  for (const Feature& feature : features) {
    text += flat(feature.name) + "\t" + (feature.required ? "required" : "optional") + "\t" +
            (feature.available ? "yes" : "no") + "\t" + flat(feature.detail) + "\n";
  }
  return text;
}

base::Result<std::vector<Feature>> parse_features(std::string_view text) {
  std::vector<Feature> features;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line);
    std::array<std::string, 3> part;
    Feature feature;
    for (std::string& value : part) std::getline(parts, value, '\t');
    std::getline(parts, feature.detail, '\n');
    const bool sound =
        (part[1] == "required" || part[1] == "optional") && (part[2] == "yes" || part[2] == "no");
    if (!sound) return base::corruption("the supervisor sent '" + line + "'");
    feature.name = part[0];
    feature.required = part[1] == "required";
    feature.available = part[2] == "yes";
    features.push_back(std::move(feature));
  }
  return features;
}

int print_features() {
  const std::string text = features_text(found());
  const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
  return count == static_cast<ssize_t>(text.size()) ? 0 : 1;
}

}  // namespace clever::confine::internal
