#include "sandbox/layer_copy.h"

#include <string>
#include <utility>
#include <vector>

#include "io/directory.h"
#include "io/file.h"
#include "sandbox/workspace/internal/overlay_marks.h"

namespace clever::sandbox {
namespace {

using Kind = io::EntryFacts::Kind;

constexpr std::size_t kMostEntries = 2'000'000;
constexpr std::size_t kLargestFile = std::size_t{1} << 30U;
constexpr int kDeepest = 200;

class LayerCopy {
 public:
  explicit LayerCopy(const base::StopToken& stop) : stop_(stop) {}

  base::Result<void> copy(const io::Directory& from, const io::Directory& to, int depth) {
    std::vector<std::pair<std::string, Kind>> entries;
    CLEVER_TRY(from.list("", [&](std::string_view name, Kind kind) {
      entries.emplace_back(name, kind);
      return ++count_ <= kMostEntries;
    }));
    if (count_ > kMostEntries || depth > kDeepest) {
      return base::resource_exhausted("there are too many files to copy");
    }
    if (internal::is_opaque(from)) CLEVER_TRY(internal::make_opaque(to));
    for (const auto& [name, kind] : entries) {
      if (stop_.stop_requested()) return base::cancelled("stopped while files were copied");
      CLEVER_TRY(entry(from, to, name, kind, depth));
    }
    return {};
  }

 private:
  base::Result<void> entry(const io::Directory& from, const io::Directory& to,
                           const std::string& name, Kind kind, int depth) {
    if (kind == Kind::kDirectory) return folder(from, to, name, depth);
    if (kind == Kind::kLink) {
      CLEVER_ASSIGN(const std::string target, from.read_link(name));
      return to.create_link(name, target);
    }
    if (kind == Kind::kFile) return file(from, to, name);
    if (internal::is_whiteout(from, name)) return internal::make_whiteout(to, name);
    return {};
  }

  base::Result<void> folder(const io::Directory& from, const io::Directory& to,
                            const std::string& name, int depth) {
    CLEVER_ASSIGN(const io::EntryFacts facts, from.facts(name));
    CLEVER_TRY(to.make_directories(name, 0700));
    CLEVER_ASSIGN(const io::Directory below, from.open_below(name));
    CLEVER_ASSIGN(const io::Directory made, to.open_below(name));
    CLEVER_TRY(copy(below, made, depth + 1));
    return to.set_mode(name, facts.mode);
  }

  // A file that vanishes meanwhile was removed by its owner.
  static base::Result<void> file(const io::Directory& from, const io::Directory& to,
                                 const std::string& name) {
    const auto facts = from.facts(name);
    auto content = from.read_file(name, kLargestFile);
    const bool gone = !content.ok() && content.error().code() == base::ErrorCode::kNotFound;
    if (!facts.ok() || gone) return {};
    CLEVER_TRY(content);
    CLEVER_TRY(to.create_file(name, *content, facts->mode));
    internal::set_modified(to, name, facts->modified);
    return {};
  }

  const base::StopToken& stop_;
  std::size_t count_ = 0;
};

}  // namespace

base::Result<void> copy_layer(const std::filesystem::path& from, const std::filesystem::path& to,
                              const base::StopToken& stop) {
  CLEVER_ASSIGN(const io::Directory source, io::Directory::open(from));
  CLEVER_TRY(io::make_directories(to, 0700));
  CLEVER_ASSIGN(const io::Directory target, io::Directory::open(to));
  std::vector<std::string> old;
  CLEVER_TRY(target.list("", [&](std::string_view name, Kind) {
    old.emplace_back(name);
    return true;
  }));
  for (const std::string& name : old) CLEVER_TRY(target.remove_all(name));
  return LayerCopy(stop).copy(source, target, 0);
}

}  // namespace clever::sandbox
