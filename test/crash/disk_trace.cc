#include "crash/disk_trace.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace clever::storage::crash {
namespace {

using Kind = DiskCall::Kind;

constexpr std::size_t kSector = 512;

std::string content_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Pending {
  std::size_t index;
  const DiskCall* call;
};

struct DiskFile {
  std::string durable;
  std::vector<Pending> pending;
};

/// A disk as the calls left it.
struct Disk {
  std::map<int, DiskFile> files;
  std::map<std::string, int> names;
  std::vector<const DiskCall*> pending_names;
};

void put(std::string& image, std::size_t offset, std::string_view bytes) {
  if (image.size() < offset + bytes.size()) image.resize(offset + bytes.size(), '\0');
  image.replace(offset, bytes.size(), bytes);
}

void apply(std::string& image, const DiskCall& call) {
  const auto offset = static_cast<std::size_t>(call.offset);
  if (call.kind == Kind::kTruncate) {
    image.resize(offset, '\0');
  } else {
    put(image, offset, call.bytes);
  }
}

void apply_name(std::map<std::string, int>& names, const DiskCall& call) {
  if (call.kind == Kind::kCreate) {
    names[call.path] = call.file;
  } else {
    names.erase(call.path);
  }
}

void sync(DiskFile& file, std::size_t covers) {
  std::erase_if(file.pending, [&](const Pending& pending) {
    if (pending.index >= covers) return false;
    apply(file.durable, *pending.call);
    return true;
  });
}

void replay(Disk& disk, const DiskCall& call, std::size_t index) {
  switch (call.kind) {
    case Kind::kOpen:
      disk.names[call.path] = call.file;
      disk.files[call.file].durable = call.bytes;
      break;
    case Kind::kCreate:
    case Kind::kRemove:
      disk.pending_names.push_back(&call);
      break;
    case Kind::kWrite:
    case Kind::kTruncate:
      disk.files[call.file].pending.push_back({index, &call});
      break;
    case Kind::kSync:
      sync(disk.files[call.file], call.covers);
      break;
    case Kind::kSyncFolder:
      for (const DiskCall* name : std::exchange(disk.pending_names, {})) {
        apply_name(disk.names, *name);
      }
      break;
    case Kind::kReport:
      break;
  }
}

// In pieces that no disk tears: to the next multiple of a sector's size.
void apply_some_sectors(std::string& image, const DiskCall& call, base::Random& random) {
  const auto begin = static_cast<std::size_t>(call.offset);
  for (std::size_t at = 0; at < call.bytes.size();) {
    const std::size_t size = std::min(kSector - (begin + at) % kSector, call.bytes.size() - at);
    if (random.below(2) == 0) put(image, begin + at, std::string_view(call.bytes).substr(at, size));
    at += size;
  }
}

std::string survivor(const DiskFile& file, Loss loss, base::Random& random) {
  std::string image = file.durable;
  const std::uint64_t some = random.below(file.pending.size() + 1);
  for (std::size_t i = 0; i < file.pending.size(); ++i) {
    const DiskCall& call = *file.pending[i].call;
    if (loss == Loss::kAll || (loss == Loss::kAfterSome && i >= some)) break;
    if (loss == Loss::kSectors && call.kind == Kind::kWrite) {
      apply_some_sectors(image, call, random);
    } else if (loss == Loss::kNothing || loss == Loss::kAfterSome || random.below(2) == 0) {
      apply(image, call);
    }
  }
  return image;
}

}  // namespace

void DiskTrace::opens(const std::string& path, bool is_new, bool log) {
  std::string content = is_new ? "" : content_of_file(path);
  known_.with([&](Known& known) {
    if (!is_new && known.files.contains(path)) return;
    known.files[path] = ++known.last_file;
    known.name_is_new[path] = is_new && log;
    known.calls.push_back({.kind = is_new ? Kind::kCreate : Kind::kOpen,
                           .file = known.last_file,
                           .path = path,
                           .bytes = std::move(content)});
  });
}

void DiskTrace::writes(const std::string& path, std::int64_t offset, std::string_view bytes) {
  known_.with([&](Known& known) {
    known.calls.push_back({.kind = Kind::kWrite,
                           .file = known.files[path],
                           .path = path,
                           .offset = offset,
                           .bytes = std::string(bytes)});
  });
}

void DiskTrace::truncates(const std::string& path, std::int64_t size) {
  known_.with([&](Known& known) {
    known.calls.push_back({.kind = Kind::kTruncate, .file = known.files[path], .offset = size});
  });
}

void DiskTrace::syncs(const std::string& path) {
  known_.with([&](Known& known) { known.syncing[path] = known.calls.size(); });
}

void DiskTrace::synced(const std::string& path) {
  if (!lies_about_.empty() && path.ends_with(lies_about_)) return;
  known_.with([&](Known& known) {
    known.calls.push_back(
        {.kind = Kind::kSync, .file = known.files[path], .covers = known.syncing[path]});
    if (std::exchange(known.name_is_new[path], false)) {
      known.calls.push_back({.kind = Kind::kSyncFolder});
    }
  });
}

void DiskTrace::removes(const std::string& path, bool sync_folder) {
  known_.with([&](Known& known) {
    known.files.erase(path);
    known.calls.push_back({.kind = Kind::kRemove, .path = path});
    if (sync_folder) known.calls.push_back({.kind = Kind::kSyncFolder});
  });
}

void DiskTrace::reported(const Report& report) {
  known_.with(
      [&](Known& known) { known.calls.push_back({.kind = Kind::kReport, .report = report}); });
}

DiskCalls DiskTrace::take() {
  return known_.with([](Known& known) { return std::exchange(known.calls, {}); });
}

Loss any_loss(base::Random& random) {
  constexpr std::uint64_t kLosses = 5;
  return static_cast<Loss>(random.below(kLosses));
}

void cut_power(const DiskCalls& calls, std::size_t cut, Loss loss, base::Random& random,
               const std::filesystem::path& folder) {
  Disk disk;
  for (std::size_t i = 0; i < cut; ++i) replay(disk, calls[i], i);
  const std::uint64_t named = random.below(disk.pending_names.size() + 1);
  for (std::size_t i = 0; i < named; ++i) apply_name(disk.names, *disk.pending_names[i]);
  for (const auto& [path, file] : disk.names) {
    const std::string image = survivor(disk.files[file], loss, random);
    std::ofstream(folder / std::filesystem::path(path).filename(), std::ios::binary) << image;
  }
}

std::vector<Report> reports_before(const DiskCalls& calls, std::size_t cut) {
  std::vector<Report> reports;
  for (std::size_t i = 0; i < cut; ++i) {
    if (calls[i].kind == Kind::kReport) reports.push_back(calls[i].report);
  }
  return reports;
}

}  // namespace clever::storage::crash
