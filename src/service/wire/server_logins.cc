#include "service/wire/server_logins.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "base/deadline.h"
#include "base/text.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "model/document_json.h"
#include "service/text.h"
#include "service/wire/wire_document.h"

namespace clever::service {
namespace {

using model::Document;
using Tokens = std::map<std::string, std::string>;

constexpr std::string_view kFile = "tokens.json";
constexpr std::string_view kUnixScheme = "unix:";
constexpr unsigned kOthers = 077;
constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

// The content of a file that its owner alone may read; none if the file does not exist.
base::Result<std::optional<std::string>> read_secret(const std::filesystem::path& home,
                                                     std::string_view name) {
  const auto folder = io::Directory::open(home);
  if (!folder.ok()) return std::optional<std::string>();
  const auto facts = folder->facts(name);
  if (!facts.ok() && facts.error().code() == base::ErrorCode::kNotFound) {
    return std::optional<std::string>();
  }
  if (!facts.ok()) return facts.error();
  const std::string path = (home / name).string();
  if ((facts->mode & kOthers) != 0) {
    return base::permission_denied("users other than the owner may read " + path +
                                   ": `chmod 600` it");
  }
  CLEVER_ASSIGN(std::string text, folder->read_file(name, kLargestFile));
  return std::optional(std::move(text));
}

base::Result<Tokens> read_tokens(const std::filesystem::path& home) {
  Tokens tokens;
  CLEVER_ASSIGN(const auto text, read_secret(home, kFile));
  if (!text) return tokens;
  const auto document = model::parse_document(*text);
  if (!document.ok() || !document->is_map()) {
    return base::corruption((home / kFile).string() +
                            " is damaged: remove it, then `agents login URL` again");
  }
  for (const auto& [address, token] : map_at(*document, "tokens")) {
    tokens[address] = bytes_of(token);
  }
  return tokens;
}

base::Result<io::FileLock> lock_tokens(const std::filesystem::path& home,
                                       const base::StopToken& stop) {
  CLEVER_TRY(io::make_directories(home));
  return io::FileLock::acquire(home / "tokens.lock", stop, base::Deadline::never());
}

base::Result<void> write_tokens(const std::filesystem::path& home, const Tokens& tokens) {
  Document all = Document::map();
  for (const auto& [address, token] : tokens) all.set(address, token);
  const Document document = Document::map().set("tokens", std::move(all));
  return io::write_file_atomically(home / kFile, model::to_json(document) + "\n");
}

bool is_of_this_machine(std::string_view host) {
  return host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("[::1]");
}

}  // namespace

base::Result<std::string> server_address(std::string_view typed) {
  std::string text(base::trimmed(typed));
  if (text.starts_with("unix:/")) return text;
  const auto bad = base::invalid_argument(
      "expected the URL of a server, such as https://HOST:7777 or unix:/PATH, not " +
      in_quotes(typed));
  if (text.starts_with("unix:")) return bad;
  if (!text.contains("://")) text = (is_of_this_machine(text) ? "http://" : "https://") + text;
  const std::size_t host = text.find("://") + 3;
  const std::string scheme = base::lower_case(text.substr(0, host));
  if (scheme != "http://" && scheme != "https://") return bad;
  while (text.ends_with('/') && text.size() > host) text.pop_back();
  const std::string place = base::lower_case(text.substr(host));
  const bool is_plain = !place.empty() && place.find_first_of("/?#@ ") == std::string::npos;
  if (!is_plain) return bad;
  return scheme + place;
}

std::string server_url(const std::string& address) {
  if (!address.starts_with(kUnixScheme)) return address;
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url = "http+unix://";
  for (const char c : address.substr(kUnixScheme.size())) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.';
    if (is_plain) {
      url += c;
    } else {
      url += {'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    }
  }
  return url;
}

bool is_address_here(std::string_view address) {
  const std::size_t scheme = address.find("://");
  return address.starts_with(kUnixScheme) ||
         (scheme != std::string_view::npos && is_of_this_machine(address.substr(scheme + 3)));
}

base::Result<std::optional<std::string>> stored_token(const std::filesystem::path& home,
                                                      const std::string& address) {
  CLEVER_ASSIGN(const Tokens tokens, read_tokens(home));
  const auto found = tokens.find(address);
  return found == tokens.end() ? std::optional<std::string>() : std::optional(found->second);
}

base::Result<void> store_token(const std::filesystem::path& home, const std::string& address,
                               const std::string& token, const base::StopToken& stop) {
  CLEVER_ASSIGN(const io::FileLock lock, lock_tokens(home, stop));
  CLEVER_ASSIGN(Tokens tokens, read_tokens(home));
  tokens[address] = token;
  return write_tokens(home, tokens);
}

base::Result<bool> forget_token(const std::filesystem::path& home, const std::string& address,
                                const base::StopToken& stop) {
  CLEVER_ASSIGN(const io::FileLock lock, lock_tokens(home, stop));
  CLEVER_ASSIGN(Tokens tokens, read_tokens(home));
  if (tokens.erase(address) == 0) return false;
  CLEVER_TRY(write_tokens(home, tokens));
  return true;
}

base::Result<std::vector<std::string>> servers_with_login(const std::filesystem::path& home) {
  CLEVER_ASSIGN(const Tokens tokens, read_tokens(home));
  std::vector<std::string> addresses;
  for (const auto& [address, token] : tokens) addresses.push_back(address);
  return addresses;
}

base::Result<std::string> token_for(const std::filesystem::path& home, const std::string& address) {
  CLEVER_ASSIGN(auto stored, stored_token(home, address));
  if (stored) return *std::move(stored);
  if (address == "unix:" + (home / "server.sock").string()) {
    CLEVER_ASSIGN(const auto own, read_secret(home, "server.token"));
    if (own) return std::string(base::trimmed(*own));
  }
  return base::permission_denied("there is no token for " + address + ": `agents login " + address +
                                 "` stores one");
}

}  // namespace clever::service
