#include "git/internal/log_files.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/random.h"
#include "git/internal/durable_folder.h"
#include "git/internal/object_log.h"
#include "git/internal/read_at.h"

namespace clever::git::internal {
namespace {

constexpr std::string_view kEnding = ".log";

std::string new_name() {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<std::byte, 16> random{};
  base::SystemRandom().fill(random);
  std::string name;
  for (const std::byte byte : random) {
    name += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    name += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return name + std::string(kEnding);
}

}  // namespace

std::uint32_t LogFiles::number_of(const std::string& name) {
  return logs_.with([&](std::vector<Log>& logs) {
    const auto known = std::ranges::find(logs, name, &Log::name);
    const auto number = static_cast<std::uint32_t>(known - logs.begin());
    if (known == logs.end()) logs.push_back({.name = name});
    return number;
  });
}

base::Result<std::vector<LogPlace>> LogFiles::scan() {
  std::vector<std::string> names;
  CLEVER_TRY(folder_.list("", [&](std::string_view name, io::EntryFacts::Kind kind) {
    if (kind == io::EntryFacts::Kind::kFile && name.ends_with(kEnding)) names.emplace_back(name);
    return true;
  }));
  std::vector<LogPlace> places;
  for (const std::string& name : names) {
    CLEVER_ASSIGN(auto found, scan_one(name));
    std::ranges::move(found, std::back_inserter(places));
  }
  return places;
}

base::Result<std::vector<LogPlace>> LogFiles::scan_one(const std::string& name) {
  const std::uint32_t number = number_of(name);
  const Log log = logs_.with([&](const std::vector<Log>& logs) { return logs[number]; });
  std::vector<LogPlace> places;
  CLEVER_ASSIGN(const io::EntryFacts facts, folder_.facts(name));
  if (log.own || facts.size <= log.scanned) return places;
  CLEVER_ASSIGN(const io::FileDescriptor file, folder_.open_file(name));
  const LogSource source{.size = facts.size, .read = [&](std::uint64_t offset, std::size_t count) {
                           return read_at(file, offset, count);
                         }};
  CLEVER_ASSIGN(const LogScan scan, scan_log(source, log.scanned).context("reading log " + name));
  for (const LoggedObject& object : scan.objects) {
    places.push_back({.facts = object.facts, .offset = object.offset, .log = number});
  }
  logs_.with([&](std::vector<Log>& logs) {
    logs[number].scanned = std::max(logs[number].scanned, scan.end);
  });
  return places;
}

base::Result<std::string> LogFiles::read(const LogPlace& place) const {
  const std::string name =
      logs_.with([&](const std::vector<Log>& logs) { return logs[place.log].name; });
  CLEVER_ASSIGN(const io::FileDescriptor file, folder_.open_file(name));
  CLEVER_ASSIGN(const std::string bytes,
                read_at(file, place.offset, static_cast<std::size_t>(place.facts.stored_size)));
  return content_of(place.facts, bytes);
}

base::Result<void> LogFiles::begin_file() {
  const std::string name = new_name();
  CLEVER_TRY(sync_way_to(path_));
  CLEVER_ASSIGN(io::AppendFile file, io::AppendFile::open(path_ / name));
  const std::uint32_t number = number_of(name);
  logs_.with([&](std::vector<Log>& logs) { logs[number].own = true; });
  writer_.emplace(Writer{.file = std::move(file), .number = number});
  return {};
}

base::Result<std::vector<LogPlace>> LogFiles::append(const Batch& batch) {
  if (!writer_) CLEVER_TRY(begin_file());
  const std::string frame = frame_of(batch);
  if (auto appended = writer_->file.append(frame); !appended.ok()) {
    writer_.reset();
    return std::move(appended).error();
  }
  std::vector<LogPlace> places;
  std::uint64_t offset = writer_->size + frame_head_size(batch.size());
  for (const auto& object : batch) {
    places.push_back(
        {.facts = object->facts, .offset = offset, .log = writer_->number, .own = true});
    offset += object->facts.stored_size;
  }
  writer_->size += frame.size();
  return places;
}

}  // namespace clever::git::internal
