#include "git/internal/loose_objects.h"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "base/check.h"
#include "base/lock_rank.h"
#include "git/internal/durable_folder.h"
#include "git/object_store.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::git::internal {
namespace {

namespace fs = std::filesystem;

std::string zlib_stream(const std::string& text) {
  std::string stream(::compressBound(text.size()), '\0');
  uLongf size = stream.size();
  const int status =
      ::compress2(reinterpret_cast<Bytef*>(stream.data()), &size,
                  reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_SPEED);
  CLEVER_CHECK(status == Z_OK, "zlib cannot deflate into a buffer of its own size");
  stream.resize(size);
  return stream;
}

// Inflates up to the limit; empty if the input is not such a stream.
std::string inflated(const std::string& stream, std::size_t limit) {
  std::string text(limit, '\0');
  uLongf size = text.size();
  const int status = ::uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                                  reinterpret_cast<const Bytef*>(stream.data()), stream.size());
  text.resize(status == Z_OK ? size : 0);
  return text;
}

base::Error cannot_move(const fs::path& path, const std::error_code& error) {
  return base::unavailable("cannot move " + path.string() + ": " + error.message());
}

base::Result<void> move_into(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directory(to, error);
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename());
  }
  // A pack counts once its index exists, and "pack-x.idx" sorts before "pack-x.pack".
  std::ranges::sort(names, std::greater());
  for (const fs::path& name : names) {
    fs::rename(from / name, to / name, error);
    if (error) return cannot_move(from / name, error);
  }
  CLEVER_ASSIGN(const auto directory, io::Directory::open(to));
  return directory.sync_directory("");
}

}  // namespace

base::Result<LooseObject> read_loose_object(const io::Directory& repository, const ObjectId& id,
                                            std::size_t limit) {
  const std::string name = id.to_hex();
  CLEVER_ASSIGN(const std::string stream,
                repository.read_file("objects/" + name.substr(0, 2) + "/" + name.substr(2), limit));
  const std::string text = inflated(stream, limit);
  const std::size_t end = text.find('\0');
  for (const ObjectKind kind :
       {ObjectKind::kCommit, ObjectKind::kTree, ObjectKind::kBlob, ObjectKind::kTag}) {
    if (end == std::string::npos || !text.starts_with(std::string(to_string(kind)) + " ")) continue;
    LooseObject object{.kind = kind, .content = text.substr(end + 1)};
    if (object_id_of(kind, object.content) == id) return object;
  }
  return base::corruption("the object " + name + " does not match its name");
}

base::Result<void> write_loose_object(const fs::path& objects, const ObjectId& id, ObjectKind kind,
                                      std::string_view content) {
  std::string text(to_string(kind));
  text += ' ' + std::to_string(content.size()) + '\0';
  text += content;
  const std::string name = id.to_hex();
  CLEVER_TRY(io::make_directories(objects / name.substr(0, 2)));
  CLEVER_ASSIGN(const auto directory, io::Directory::open(objects / name.substr(0, 2)));
  auto created = directory.create_file(name.substr(2), zlib_stream(text), 0444);
  if (!created.ok() && created.error().code() == base::ErrorCode::kAlreadyExists) return {};
  return created;
}

base::Result<void> adopt_objects(const fs::path& from, const fs::path& to) {
  base::lock_rank::require_none("moving objects");
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    // Two hexadecimal digits, or "pack"; git's other folders hold no objects.
    const std::string name = entry.path().filename();
    if (entry.is_directory() && (name.size() == 2 || name == "pack")) folders.push_back(name);
  }
  if (error) return cannot_move(from, error);
  for (const fs::path& folder : folders) CLEVER_TRY(move_into(from / folder, to / folder));
  CLEVER_TRY(sync_way_to(to / "pack"));
  return {};
}

}  // namespace clever::git::internal
