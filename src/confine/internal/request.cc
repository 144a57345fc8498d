#include "confine/internal/request.h"

#include <algorithm>
#include <vector>

#include "confine/internal/wire.h"

namespace clever::confine::internal {
namespace {

constexpr std::uint64_t kMark = 0x31656e69666e6f43;  // "Confine1"

using Path = std::filesystem::path;

void write(WireWriter& writer, const std::vector<std::string>& texts) {
  writer.number(texts.size());
  for (const std::string& text : texts) writer.text(text);
}

void write(WireWriter& writer, const std::vector<Path>& paths) {
  writer.number(paths.size());
  for (const Path& path : paths) writer.text(path.native());
}

void write(WireWriter& writer, const Mount& mount) {
  writer.number(static_cast<std::uint64_t>(mount.kind));
  writer.text(mount.target.native());
  writer.text(mount.source.native());
  write(writer, mount.lower);
  writer.text(mount.upper.native());
  writer.text(mount.work.native());
}

void write(WireWriter& writer, const Limits& limits) {
  writer.number(static_cast<std::uint64_t>(limits.cpu.count()));
  writer.number(limits.memory);
  writer.number(limits.total_memory);
  writer.number(limits.processes);
  writer.number(limits.file_size);
  writer.number(limits.disk);
  writer.number(limits.files);
  writer.number(limits.open_files);
}

template <class T>
std::vector<T> read_list(WireReader& reader) {
  std::vector<T> list;
  for (std::size_t rest = reader.count(); rest > 0 && !reader.failed(); --rest) {
    list.emplace_back(reader.text());
  }
  return list;
}

template <class E>
E read_enum(WireReader& reader, E last) {
  const std::uint64_t value = reader.number();
  if (value > static_cast<std::uint64_t>(last)) {
    reader.fail();
    return E{};
  }
  return static_cast<E>(value);
}

Mount read_mount(WireReader& reader) {
  Mount mount;
  mount.kind = read_enum(reader, Mount::Kind::kHidden);
  mount.target = reader.text();
  mount.source = reader.text();
  mount.lower = read_list<Path>(reader);
  mount.upper = reader.text();
  mount.work = reader.text();
  return mount;
}

std::vector<Mount> read_mounts(WireReader& reader) {
  std::vector<Mount> mounts;
  for (std::size_t rest = reader.count(); rest > 0 && !reader.failed(); --rest) {
    mounts.push_back(read_mount(reader));
  }
  return mounts;
}

Limits read_limits(WireReader& reader) {
  Limits limits;
  limits.cpu = std::chrono::seconds(static_cast<std::int64_t>(reader.number()));
  limits.memory = reader.number();
  limits.total_memory = reader.number();
  limits.processes = reader.number();
  limits.file_size = reader.number();
  limits.disk = reader.number();
  limits.files = reader.number();
  limits.open_files = reader.number();
  return limits;
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

// Requires an absolute path without "." and "..".
base::Result<void> check_path(const Path& path, std::string_view what) {
  const bool plain = std::ranges::none_of(path, [](const Path& part) { return part == ".."; });
  if (path.is_absolute() && plain && !has_nul(path.native())) return {};
  return base::invalid_argument(std::string(what) + " '" + path.string() +
                                "' is not an absolute path without '..'");
}

base::Result<void> check_overlay(const Mount& mount) {
  if (mount.lower.empty()) {
    return base::invalid_argument("the overlay at " + mount.target.string() +
                                  " has no lower folder");
  }
  for (const Path& lower : mount.lower) CLEVER_TRY(check_path(lower, "the lower folder"));
  CLEVER_TRY(check_path(mount.upper, "the upper folder"));
  return check_path(mount.work, "the work folder");
}

base::Result<void> check_mount(const Mount& mount) {
  CLEVER_TRY(check_path(mount.target, "the target of a mount"));
  if (mount.target == "/") return base::invalid_argument("nothing can be mounted over '/'");
  switch (mount.kind) {
    case Mount::Kind::kReadOnly:
    case Mount::Kind::kWritable:
      return check_path(mount.source, "the source of a mount");
    case Mount::Kind::kOverlay:
      return check_overlay(mount);
    case Mount::Kind::kTemporary:
    case Mount::Kind::kHidden:
      break;
  }
  return {};
}

base::Result<void> check_texts(const Command& command) {
  if (command.argv.empty() || command.argv.front().empty()) {
    return base::invalid_argument("no program to run");
  }
  if (std::ranges::any_of(command.argv, has_nul) ||
      std::ranges::any_of(command.environment, has_nul)) {
    return base::invalid_argument("an argument of " + command.argv.front() +
                                  " contains a NUL byte");
  }
  const auto no_variable = [](const std::string& entry) {
    return entry.find('=') == std::string::npos || entry.starts_with('=');
  };
  const auto odd = std::ranges::find_if(command.environment, no_variable);
  if (odd == command.environment.end()) return {};
  return base::invalid_argument("the environment's '" + *odd + "' is not NAME=value");
}

}  // namespace

base::Result<void> check_command(const Command& command) {
  CLEVER_TRY(check_texts(command));
  CLEVER_TRY(check_path(command.working_directory, "the working directory"));
  if (command.limits.cpu < std::chrono::seconds(0)) {
    return base::invalid_argument("the limit on processor time is negative");
  }
  for (const Mount& mount : command.mounts) CLEVER_TRY(check_mount(mount));
  for (const Path& path : command.hidden) CLEVER_TRY(check_path(path, "the hidden"));
  return {};
}

base::Result<std::string> encode_request(const Command& command) {
  WireWriter body;
  write(body, command.argv);
  body.text(command.working_directory.native());
  write(body, command.environment);
  body.number(command.mounts.size());
  for (const Mount& mount : command.mounts) write(body, mount);
  write(body, command.hidden);
  write(body, command.limits);
  body.number(static_cast<std::uint64_t>(command.network));
  write(body, command.hosts);
  body.number(command.unconfined ? 1 : 0);
  const std::string bytes = std::move(body).take();
  if (bytes.size() > kLargestRequest) {
    return base::invalid_argument("the command with its environment is larger than 16 MiB");
  }
  WireWriter head;
  head.number(kMark);
  head.number(bytes.size());
  return std::move(head).take() + bytes;
}

base::Result<std::size_t> read_request_head(std::string_view head) {
  WireReader reader(head);
  const std::uint64_t mark = reader.number();
  const std::uint64_t size = reader.number();
  if (reader.failed() || mark != kMark) return base::invalid_argument("this is not a request");
  if (size > kLargestRequest) return base::invalid_argument("the request is larger than 16 MiB");
  return size;
}

base::Result<Command> decode_request(std::string_view body) {
  WireReader reader(body);
  Command command;
  command.argv = read_list<std::string>(reader);
  command.working_directory = reader.text();
  command.environment = read_list<std::string>(reader);
  command.mounts = read_mounts(reader);
  command.hidden = read_list<Path>(reader);
  command.limits = read_limits(reader);
  command.network = read_enum(reader, Network::kOn);
  command.hosts = read_list<std::string>(reader);
  command.unconfined = read_enum(reader, true);
  CLEVER_TRY(reader.finish());
  CLEVER_TRY(check_command(command));
  return command;
}

}  // namespace clever::confine::internal
