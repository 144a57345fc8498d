#include "apply/internal/journal.h"

#include "apply/internal/journal_bytes.h"
#include "io/file.h"

namespace clever::apply::internal {
namespace {

// Stored on disk: never renumber.
enum class Type : std::uint8_t { kBeginning = 1, kLock = 2, kStaged = 3, kVerified = 4, kBack = 5 };

constexpr std::size_t kHeaderSize = 5;

// Type, length, payload, and the SHA-256 of all three.
std::string framed(Type type, const std::string& payload) {
  std::string body = ByteWriter().number(static_cast<std::uint8_t>(type), 1).text(payload).take();
  ByteWriter checksum;
  return body + checksum.digest(base::sha256(body)).take();
}

void write(ByteWriter& out, const Image& image) {
  out.number(static_cast<std::uint8_t>(image.kind), 1).digest(image.hash);
}

void write(ByteWriter& out, const Landing& landing) {
  out.text(landing.reference).text(landing.old_commit).text(landing.new_commit);
  out.text(landing.reflog).number(landing.index ? 1 : 0, 1);
  out.list(landing.entries, [&](const IndexEntry& entry) {
    out.text(entry.path).number(entry.mode, 4).text(entry.object);
  });
}

Image read_image(ByteReader& in) {
  const auto kind = static_cast<Image::Kind>(in.number(1) % 5);
  return {kind, in.digest()};
}

Operation read_operation(ByteReader& in) {
  Operation operation;
  operation.path = in.text();
  operation.before = read_image(in);
  operation.after = read_image(in);
  return operation;
}

IndexEntry read_entry(ByteReader& in) {
  IndexEntry entry;
  entry.path = in.text();
  entry.mode = static_cast<std::uint32_t>(in.number(4));
  entry.object = in.text();
  return entry;
}

Landing read_landing(ByteReader& in) {
  Landing landing;
  landing.reference = in.text();
  landing.old_commit = in.text();
  landing.new_commit = in.text();
  landing.reflog = in.text();
  landing.index = in.number(1) != 0;
  landing.entries = in.list([&] { return read_entry(in); });
  return landing;
}

Beginning read_beginning(ByteReader& in) {
  Beginning beginning;
  beginning.id = in.text();
  beginning.plan = in.text();
  beginning.digest = in.digest();
  beginning.mode = static_cast<Mode>(in.number(1) % 3);
  beginning.staging = in.text();
  // Journals of older versions end here.
  if (!in.rest().empty()) beginning.undo = in.number(1) != 0;
  // Only journals of groups go on.
  if (in.rest().empty()) return beginning;
  beginning.group = in.text();
  beginning.projects = in.list([&] { return in.text(); });
  return beginning;
}

EmptiedFolder read_emptied(ByteReader& in) {
  EmptiedFolder folder;
  folder.path = in.text();
  folder.mode = static_cast<mode_t>(in.number(4));
  return folder;
}

Staged read_staged(ByteReader& in) {
  Staged staged;
  staged.operations = in.list([&] { return read_operation(in); });
  staged.made_folders = in.list([&] { return in.text(); });
  staged.emptied_folders = in.list([&] { return read_emptied(in); });
  if (in.number(1) != 0) staged.landing = read_landing(in);
  return staged;
}

// Adds a record to the journal; returns false if it does not belong there.
bool take_record(Journal& journal, Type type, std::string_view payload) {
  ByteReader in(payload);
  switch (type) {
    case Type::kBeginning:
      journal.beginning = read_beginning(in);
      break;
    case Type::kLock: {
      const std::uint64_t device = in.number(8);
      journal.lock = LockFile{device, in.number(8)};
      break;
    }
    case Type::kStaged:
      journal.staged = read_staged(in);
      break;
    case Type::kVerified:
      journal.verified = true;
      break;
    case Type::kBack:
      journal.back = true;
      break;
    default:
      return false;
  }
  return in.ok() && in.rest().empty();
}

struct Record {
  Type type = Type::kBeginning;
  std::string_view payload;
};

// Returns nothing if the record is cut off or damaged.
std::optional<Record> next_record(ByteReader& in) {
  const std::string_view all = in.rest();
  Record record;
  record.type = static_cast<Type>(in.number(1));
  record.payload = in.take(in.number(4));
  const base::Sha256Digest checksum = in.digest();
  if (!in.ok()) return std::nullopt;
  if (base::sha256(all.substr(0, kHeaderSize + record.payload.size())) != checksum) {
    return std::nullopt;
  }
  return record;
}

base::Error damaged() { return base::corruption("the journal of an interrupted apply is damaged"); }

}  // namespace

std::string record_of(const Beginning& beginning) {
  ByteWriter out;
  out.text(beginning.id).text(beginning.plan).digest(beginning.digest);
  out.number(static_cast<std::uint8_t>(beginning.mode), 1).text(beginning.staging);
  out.number(beginning.undo ? 1 : 0, 1);
  if (!beginning.group.empty()) {
    out.text(beginning.group);
    out.list(beginning.projects, [&](const std::string& root) { out.text(root); });
  }
  return framed(Type::kBeginning, out.take());
}

std::string record_of(const LockFile& lock) {
  return framed(Type::kLock, ByteWriter().number(lock.device, 8).number(lock.inode, 8).take());
}

std::string record_of(const Staged& staged) {
  ByteWriter out;
  out.list(staged.operations, [&](const Operation& operation) {
    out.text(operation.path);
    write(out, operation.before);
    write(out, operation.after);
  });
  out.list(staged.made_folders, [&](const std::string& path) { out.text(path); });
  out.list(staged.emptied_folders,
           [&](const EmptiedFolder& folder) { out.text(folder.path).number(folder.mode, 4); });
  out.number(staged.landing ? 1 : 0, 1);
  if (staged.landing) write(out, *staged.landing);
  return framed(Type::kStaged, out.take());
}

std::string verified_record() { return framed(Type::kVerified, ""); }
std::string back_record() { return framed(Type::kBack, ""); }

base::Result<std::optional<Journal>> read_journal(std::string_view bytes) {
  ByteReader in(bytes);
  std::optional<Journal> journal;
  while (!in.rest().empty()) {
    const std::optional<Record> record = next_record(in);
    // Records are synced one by one, so only the last can be torn.
    if (!record && in.rest().empty()) break;
    if (!record) return damaged();
    if (journal.has_value() == (record->type == Type::kBeginning)) return damaged();
    if (!journal) journal.emplace();
    if (!take_record(*journal, record->type, record->payload)) return damaged();
  }
  return journal;
}

base::Result<JournalFile> JournalFile::begin(const std::filesystem::path& path,
                                             const Beginning& beginning) {
  CLEVER_TRY(io::write_file_atomically(path, record_of(beginning)));
  CLEVER_ASSIGN(io::AppendFile file, io::AppendFile::open(path));
  return JournalFile(std::move(file));
}

base::Result<void> JournalFile::locked(const LockFile& lock) {
  return file_.append(record_of(lock));
}
base::Result<void> JournalFile::staged(const Staged& staged) {
  return file_.append(record_of(staged));
}
base::Result<void> JournalFile::verified() { return file_.append(verified_record()); }
base::Result<void> JournalFile::back() { return file_.append(back_record()); }

}  // namespace clever::apply::internal
