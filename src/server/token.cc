#include "server/token.h"

#include <span>

#include "base/deadline.h"
#include "base/sha256.h"
#include "base/text.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_lock.h"

namespace clever::server {
namespace {

constexpr std::string_view kFile = "server.token";
constexpr unsigned kOthers = 077;

base::Result<std::string> read_token(const std::filesystem::path& home,
                                     const io::Directory& folder) {
  CLEVER_ASSIGN(const io::EntryFacts facts, folder.facts(kFile));
  const std::filesystem::path path = home / kFile;
  if ((facts.mode & kOthers) != 0) {
    return base::permission_denied(
        "other users can read " + path.string() +
        ": `chmod 600` it, or remove it, and the server makes a new one");
  }
  CLEVER_ASSIGN(const std::string text, folder.read_file(kFile, 4096));
  const std::string_view token = base::trimmed(text);
  if (!base::Sha256Digest::from_hex(token).ok()) {
    return base::corruption(path.string() +
                            " holds no token: remove it, and the server makes a new one");
  }
  return std::string(token);
}

// The number of hexadecimal digits of a digest.
std::string new_token(base::Random& random) {
  base::Sha256Digest::Bytes bytes{};
  random.fill(std::as_writable_bytes(std::span(bytes)));
  return base::Sha256Digest(bytes).to_hex();
}

}  // namespace

base::Result<Token> load_token(const std::filesystem::path& home, base::Random& random,
                               const base::StopToken& stop) {
  CLEVER_TRY(io::make_directories(home));
  CLEVER_ASSIGN(const io::FileLock lock,
                io::FileLock::acquire(home / "server.token.lock", stop, base::Deadline::never()));
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(home));
  Token token{.file = home / kFile};
  auto known = read_token(home, folder);
  if (known.ok()) {
    token.secret = *std::move(known);
    return token;
  }
  if (known.error().code() != base::ErrorCode::kNotFound) return known.error();
  token.secret = new_token(random);
  token.is_new = true;
  CLEVER_TRY(io::write_file_atomically(token.file, token.secret + "\n"));
  return token;
}

}  // namespace clever::server
