#include "engine/agents/login_copies.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"
#include "engine/agents/internal/json_fields.h"
#include "engine/agents/login_file.h"
#include "engine/agents/private_files.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "model/document_json.h"

namespace clever::engine {
namespace {

using model::Document;

constexpr std::size_t kLargestLogin = std::size_t{4} << 20U;
constexpr std::chrono::seconds kLockPatience{5};

base::Result<Document> document_in(const std::string& text, const std::string& name) {
  auto document = model::parse_document(text);
  if (document.ok() && document->is_map()) return document;
  return base::corruption("the login file " + name +
                          " is not a JSON object: log in to the agent again");
}

}  // namespace

LoginCopies::LoginCopies(Options options, std::vector<AgentLogin> logins)
    : options_(std::move(options)) {
  for (AgentLogin& login : logins) copies_.push_back({.login = std::move(login)});
}

std::filesystem::path LoginCopies::original(const AgentLogin& login) const {
  return options_.home / below_home(login.file);
}

void LoginCopies::learn(const Document& file, const AgentLogin& login) const {
  if (!options_.learn) return;
  for (const std::string& secret : login_secrets(file, login)) options_.learn(secret);
}

base::Result<void> LoginCopies::begin() {
  std::vector<Copy> found;
  for (Copy& copy : copies_) {
    auto text = io::read_file(original(copy.login), kLargestLogin);
    if (!text.ok() && text.error().code() == base::ErrorCode::kNotFound) continue;
    if (!text.ok()) return std::move(text).error().add_context("reading " + copy.login.file);
    copy.theirs = std::move(text).value();
    CLEVER_ASSIGN(const Document theirs, document_in(copy.theirs, copy.login.file));
    copy.part = login_part(theirs, copy.login);
    learn(theirs, copy.login);
    const auto kept = model::parse_document(read_copy(copy));
    const Document base = kept.ok() && kept->is_map() ? *kept : Document::map();
    CLEVER_TRY(write_copy(
        copy, internal::with_members(base, internal::members_of(theirs, copy.login.fields))));
    found.push_back(std::move(copy));
  }
  copies_ = std::move(found);
  return {};
}

bool LoginCopies::any() const { return !copies_.empty(); }

std::string LoginCopies::read_copy(const Copy& copy) const {
  const auto home = io::Directory::open(options_.agent_home);
  if (!home.ok()) return {};
  return home->read_file(below_home(copy.login.file), kLargestLogin).value_or(std::string());
}

base::Result<void> LoginCopies::write_copy(Copy& copy, const Document& document) const {
  CLEVER_ASSIGN(const io::Directory home, io::Directory::open(options_.agent_home));
  copy.ours = model::to_json(document);
  return put_private_file(home, below_home(copy.login.file), copy.ours);
}

std::vector<std::string> LoginCopies::keep_in_step() {
  std::vector<std::string> news;
  for (Copy& copy : copies_) {
    auto said = bring_into_step(copy, false);
    // An incomplete file is read again later.
    if (said.ok() && !said->empty()) news.push_back(*std::move(said));
  }
  return news;
}

std::vector<std::string> LoginCopies::end() {
  std::vector<std::string> news;
  for (Copy& copy : copies_) {
    auto said = bring_into_step(copy, true);
    if (said.ok() && !said->empty()) news.push_back(*std::move(said));
    if (!said.ok()) news.push_back(copy.login.file + ": " + said.error().sentence());
    take_tokens(copy);
  }
  copies_.clear();
  return news;
}

// Takes only the tokens; the rest of the file stays as it is in the home.
void LoginCopies::take_tokens(Copy& copy) const {
  const auto document = model::parse_document(read_copy(copy));
  internal::Members without;
  if (document.ok() && document->is_map()) {
    without = internal::members_of(*document, copy.login.tokens);
    for (auto& [name, value] : without) value = Document();
    if (write_copy(copy, internal::with_members(*document, without)).ok()) return;
  }
  const auto home = io::Directory::open(options_.agent_home);
  if (home.ok()) (void)home->remove_all(below_home(copy.login.file));
}

base::Result<std::string> LoginCopies::bring_into_step(Copy& copy, bool at_end) const {
  const std::filesystem::path file = original(copy.login);
  CLEVER_ASSIGN(std::string theirs_text, io::read_file(file, kLargestLogin));
  std::string ours_text = read_copy(copy);
  if (theirs_text == copy.theirs && ours_text == copy.ours) return std::string();
  CLEVER_TRY(io::make_directories(options_.locks, 0700));
  const std::filesystem::path lock_file =
      options_.locks / (base::sha256(file.string()).to_hex().substr(0, 16) + ".lock");
  const auto patience =
      base::Deadline::after(options_.clock, at_end ? kLockPatience : std::chrono::seconds(0));
  CLEVER_ASSIGN(const auto lock, io::FileLock::acquire(lock_file, {}, patience));
  // Reads both files again, under the lock.
  CLEVER_ASSIGN(theirs_text, io::read_file(file, kLargestLogin));
  ours_text = read_copy(copy);
  CLEVER_ASSIGN(const Document theirs, document_in(theirs_text, copy.login.file));
  copy.theirs = theirs_text;
  const auto ours = model::parse_document(ours_text);
  const Document known = ours.ok() && ours->is_map() ? *ours : copy.part;
  const bool renewed = internal::members_of(known, copy.login.tokens) !=
                       internal::members_of(copy.part, copy.login.tokens);
  const bool changed = login_part(theirs, copy.login) != copy.part;
  copy.ours = ours_text;
  if (!renewed && !changed) return std::string();
  if (!changed) return take_over(copy, theirs, known);
  copy.part = login_part(theirs, copy.login);
  learn(theirs, copy.login);
  CLEVER_TRY(write_copy(
      copy, internal::with_members(known, internal::members_of(theirs, copy.login.fields))));
  return renewed ? "the token that the agent renewed was not taken over: " + copy.login.file +
                       " was renewed by another one meanwhile"
                 : std::string();
}

base::Result<std::string> LoginCopies::take_over(Copy& copy, const Document& theirs,
                                                 const Document& ours) const {
  learn(ours, copy.login);
  auto merged = with_renewed(theirs, ours, copy.login);
  if (!merged.ok()) {
    CLEVER_TRY(write_copy(
        copy, internal::with_members(ours, internal::members_of(theirs, copy.login.fields))));
    return "what the agent made of " + copy.login.file +
           " was not taken over: " + merged.error().message();
  }
  std::string text = model::to_json(*merged) + "\n";
  CLEVER_TRY(io::write_file_atomically(original(copy.login), text));
  copy.part = login_part(*merged, copy.login);
  copy.theirs = std::move(text);
  return "the agent renewed its login: " + copy.login.file + " has the new token";
}

bool has_renewable_login(const std::filesystem::path& home, const AgentLogin& login) {
  const auto text = io::read_file(home / below_home(login.file), kLargestLogin);
  const auto document = model::parse_document(text.ok() ? *text : std::string());
  if (!document.ok()) return false;
  return std::ranges::any_of(internal::members_of(*document, login.renewed),
                             [](const auto& member) { return !member.second.is_null(); });
}

void learn_logins(const std::filesystem::path& home, const std::vector<AgentLogin>& logins,
                  const std::function<void(const std::string& secret)>& learn) {
  for (const AgentLogin& login : logins) {
    const auto text = io::read_file(home / below_home(login.file), kLargestLogin);
    if (!text.ok()) continue;
    const auto document = model::parse_document(*text);
    if (!document.ok()) continue;
    for (const std::string& secret : login_secrets(*document, login)) learn(secret);
  }
}

}  // namespace clever::engine
