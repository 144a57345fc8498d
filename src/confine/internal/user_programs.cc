#include "confine/internal/user_programs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "confine/shell_words.h"
#include "git/secret_paths.h"
#include "io/file.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {
namespace {

using Path = std::filesystem::path;

// Empty inside for every user; see root.cc.
constexpr std::array<std::string_view, 6> kEmptyInside = {"/home", "/root",    "/tmp",
                                                          "/run",  "/var/tmp", "/dev/shm"};
// Folders in which people keep everything.
constexpr std::array<std::string_view, 8> kMixed = {"Desktop", "Downloads", "Documents", "Pictures",
                                                    "Music",   "Videos",    "Public",    ".local"};
// More hops of links or interpreters mean a circle.
constexpr int kMostHops = 16;
constexpr std::size_t kFirstLine = 256;

bool lies_in(const Path& path, const Path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

bool is_plain_folder(const Path& path) { return io::file_kind(path) == io::FileKind::kDirectory; }

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

bool is_program(const Path& path) {
  return io::file_kind(path) == io::FileKind::kFile && ::access(path.c_str(), X_OK) == 0;
}

bool may_be_secret(const Path& name) {
  return git::SecretPaths().secrecy(name.native()) != git::Secrecy::kNone;
}

bool holds_keys(const Path& folder) {
  std::error_code ended;
  std::filesystem::directory_iterator entries(folder, ended);
  for (; !ended && entries != std::filesystem::directory_iterator(); entries.increment(ended)) {
    if (may_be_secret(entries->path().filename())) return true;
  }
  return false;
}

// Returns whether the folder is an installation prefix: a virtual environment, a toolchain.
bool is_installation(const Path& folder) {
  if (is_there(folder / "pyvenv.cfg")) return true;
  if (is_there(folder / ".git")) return false;
  return std::ranges::any_of(std::array{"lib", "lib64", "libexec"},
                             [&](const char* name) { return is_plain_folder(folder / name); });
}

std::string first_line(const Path& path) {
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text(kFirstLine, '\0');
  const ssize_t count = file.valid() ? ::read(file.number(), text.data(), text.size()) : 0;
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text.substr(0, text.find('\n'));
}

// "#!/usr/bin/env -S node --flag" → "/usr/bin/env", "node"
std::vector<std::string> interpreters(const Path& script) {
  std::string line = first_line(script);
  if (!line.starts_with("#!")) return {};
  line.erase(0, 2);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size() && words.size() < 8;) {
    const std::size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string::npos) break;
    at = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  if (words.empty()) return {};
  std::vector<std::string> found = {words.front()};
  if (program_name(words.front()) != "env") return found;
  const auto program = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
    return !word.starts_with('-') && word.find('=') == std::string::npos;
  });
  if (program != words.end()) found.push_back(*program);
  return found;
}

std::string variable(const Command& command, std::string_view name) {
  for (const std::string_view entry : command.environment) {
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) {
      return std::string(entry.substr(name.size() + 1));
    }
  }
  return {};
}

class ProgramSearch {
 public:
  ProgramSearch(const Command& command, const std::vector<Path>& withheld)
      : command_(command), withheld_(withheld) {}

  UserPrograms run() {
    for (const std::string& name : named()) show(name, command_.chosen_by_person, kMostHops);
    return std::move(found_);
  }

 private:
  // Every word of the command that names a program.
  [[nodiscard]] std::vector<std::string> named() const {
    std::vector<std::string> names = {command_.argv.front()};
    const bool has_text = command_.argv.size() > 2 && is_shell(program_name(names.front())) &&
                          command_.argv[1] == "-c";
    const auto commands = has_text ? shell_commands(command_.argv[2]) : std::nullopt;
    if (!commands) return names;
    for (const ShellCommand& words : *commands) {
      const std::vector<bool> places = program_places(words);
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (places[i]) add_word(words[i], names);
      }
    }
    return names;
  }

  void add_word(const ShellWord& word, std::vector<std::string>& names) const {
    const bool of_home =
        word.text.starts_with("~/") && word.text.find_first_of("$*?[{`") == std::string::npos;
    if (word.unknown && !of_home) return;
    std::string name = of_home ? variable(command_, "HOME") + word.text.substr(1) : word.text;
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }

  // Makes the program visible if it is not; with `allowed` also outside PATH.
  void show(const std::string& name, bool allowed, int hops) {
    if (name.empty() || hops == 0) return;
    if (name.find('/') == std::string::npos) {
      if (const auto path = in_search_path(name)) show_file(*path, hops);
      return;
    }
    const Path path = Path(name).lexically_normal();
    if (!path.is_absolute() || !is_program(path)) return;
    if (!allowed && !is_visible(path)) {
      return refuse(path,
                    "commands cannot see that folder; they find programs of folders in PATH, "
                    "and those that the settings name");
    }
    show_file(path, hops);
  }

  // The first match of the shell, if all of PATH were visible.
  [[nodiscard]] std::optional<Path> in_search_path(const std::string& name) const {
    const std::string folders = variable(command_, "PATH");
    for (std::size_t at = 0; at < folders.size();) {
      const std::size_t end = std::min(folders.find(':', at), folders.size());
      const Path path = Path(folders.substr(at, end - at)) / name;
      at = end + 1;
      if (path.is_absolute() && is_program(path)) return path.lexically_normal();
    }
    return std::nullopt;
  }

  void show_file(const Path& path, int hops) {
    if (hops == 0) return;
    if (!is_visible(path) && !add_mount_for(path)) return;
    std::error_code no_link;
    const Path target = std::filesystem::read_symlink(path, no_link);
    if (!no_link) return show_file((path.parent_path() / target).lexically_normal(), hops - 1);
    std::error_code broken;
    const Path real = std::filesystem::canonical(path, broken);
    if (!broken && real != path) show_file(real, hops - 1);
    // A person chose the interpreters together with the script.
    for (const std::string& name : interpreters(path)) show(name, true, hops - 1);
  }

  [[nodiscard]] bool is_visible(const Path& path) const {
    bool visible = !is_hidden(path);
    for (const auto* mounts : {&command_.mounts, &found_.mounts}) {
      for (const Mount& mount : *mounts) {
        if (lies_in(path, mount.target)) visible = shows(mount, path);
      }
    }
    return visible;
  }

  [[nodiscard]] bool is_hidden(const Path& path) const {
    const auto within = [&](const Path& folder) { return lies_in(path, folder); };
    return std::ranges::any_of(kEmptyInside, within) ||
           std::ranges::any_of(command_.hidden, within);
  }

  static bool shows(const Mount& mount, const Path& path) {
    const Path rest = path.lexically_relative(mount.target);
    const auto has = [&](const Path& folder) {
      return is_there(rest == "." ? folder : folder / rest);
    };
    switch (mount.kind) {
      case Mount::Kind::kReadOnly:
      case Mount::Kind::kWritable:
        return has(mount.source);
      case Mount::Kind::kOverlay:
        return has(mount.upper) || std::ranges::any_of(mount.lower, has);
      case Mount::Kind::kTemporary:
      case Mount::Kind::kHidden:
        break;
    }
    return false;
  }

  bool add_mount_for(const Path& path) {
    std::error_code broken;
    const Path real = std::filesystem::weakly_canonical(path, broken);
    for (const Path& one : {path, real}) {
      if (is_withheld(one)) {
        refuse(path,
               "commands cannot see that folder, because it may hold keys; copy the program "
               "to another folder");
        return false;
      }
    }
    const Path shown = folder_to_show(path);
    found_.mounts.push_back({.kind = Mount::Kind::kReadOnly, .target = shown, .source = shown});
    return true;
  }

  [[nodiscard]] bool is_withheld(const Path& path) const {
    if (std::ranges::any_of(withheld_, [&](const Path& folder) {
          std::error_code missing;
          return lies_in(path, folder) ||
                 lies_in(path, std::filesystem::weakly_canonical(folder, missing));
        })) {
      return true;
    }
    const Path folders = path.parent_path();
    return std::any_of(folders.begin(), folders.end(), may_be_secret);
  }

  [[nodiscard]] Path folder_to_show(const Path& path) const {
    const Path folder = path.parent_path();
    const Path prefix = folder.parent_path();
    const bool of_programs = folder.filename() == "bin" || folder.filename() == "sbin";
    if (of_programs && may_be_shown(prefix) && is_installation(prefix)) return prefix;
    return may_be_shown(folder) ? folder : path;
  }

  [[nodiscard]] bool may_be_shown(const Path& folder) const {
    const auto is_inside = [&](const Path& other) { return lies_in(other, folder); };
    if (std::ranges::any_of(kEmptyInside, is_inside)) return false;
    if (std::ranges::any_of(command_.hidden, is_inside)) return false;
    if (std::ranges::any_of(withheld_, is_inside)) return false;
    // Home folders of any user.
    if (folder.parent_path() == "/home") return false;
    if (std::ranges::find(kMixed, folder.filename().string()) != kMixed.end()) return false;
    return !is_there(folder / ".git") && !holds_keys(folder);
  }

  void refuse(const Path& path, std::string_view reason) {
    if (found_.unseen.empty()) found_.unseen = path.string() + ": " + std::string(reason);
  }

  const Command& command_;
  const std::vector<Path>& withheld_;
  UserPrograms found_;
};

}  // namespace

UserPrograms user_programs(const Command& command, const std::vector<Path>& withheld) {
  if (command.argv.empty()) return {};
  return ProgramSearch(command, withheld).run();
}

void add_mounts(Command& command, std::vector<Mount> mounts) {
  for (Mount& mount : mounts) {
    // After the mounts that would cover it, before those inside it.
    auto place = command.mounts.begin();
    for (auto other = place; other != command.mounts.end(); ++other) {
      if (lies_in(mount.target, other->target)) place = std::next(other);
    }
    command.mounts.insert(place, std::move(mount));
  }
}

}  // namespace clever::confine::internal
