#include "engine/trust.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/sha256.h"
#include "engine/internal/named_files.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "io/file_names.h"

namespace clever::engine {
namespace {

using nlohmann::json;

constexpr int kTrustVersion = 1;
constexpr std::size_t kLargestTrustFile = std::size_t{16} << 20U;
constexpr std::chrono::seconds kPatience{30};

// Hashes the words with their lengths, so that different commands never give the same text.
void add(base::Sha256& hash, std::string_view text) {
  hash.update(std::to_string(text.size())).update(":").update(text);
}

base::Result<std::string> digest_of(const std::filesystem::path& root,
                                    const NamedCommand& command) {
  CLEVER_ASSIGN(const std::vector<std::string> files, TrustStore::files_of(root, command));
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(root));
  base::Sha256 hash;
  add(hash, "trust/" + std::to_string(kTrustVersion));
  add(hash, command.kind);
  add(hash, command.name);
  add(hash, std::to_string(command.argv.size()));
  for (const std::string& word : command.argv) add(hash, word);
  for (const std::string& file : files) {
    CLEVER_ASSIGN(const base::Sha256Digest content, folder.hash_file(file));
    add(hash, file);
    add(hash, content.to_hex());
  }
  return hash.finish().to_hex();
}

std::string command_key(const NamedCommand& command) { return command.kind + " " + command.name; }

base::Error unreadable(const std::filesystem::path& file, std::string_view why) {
  return base::corruption(file.string() + " " + std::string(why) +
                          "; remove it and run `agents trust` again in your projects");
}

bool is_list_of_texts(const json& value) {
  return value.is_array() &&
         std::ranges::all_of(value, [](const json& item) { return item.is_string(); });
}

}  // namespace

NamedCommand named_command(std::string_view kind, const config::Table& table) {
  NamedCommand command{.kind = std::string(kind), .name = table.text("name"), .place = table.place};
  // The event that runs a hook is part of its identity.
  if (const std::string event = table.text("event"); !event.empty()) {
    const std::string match = table.text("match");
    command.name = event + (match.empty() ? "" : " " + match) +
                   (command.name.empty() ? "" : " (" + command.name + ")");
  }
  for (const char* key : {"command", "tool", "arguments"}) {
    const auto words = table.values.find(key);
    if (words == table.values.end()) continue;
    command.argv.insert(command.argv.end(), words->second.begin(), words->second.end());
  }
  return command;
}

std::string untrusted_sentence(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " command of this project is not trusted, so it is "
                                               "not used: `agents trust` shows it"
                                             : " commands of this project are not trusted, so they "
                                               "are not used: `agents trust` shows them");
}

base::Result<TrustStore> TrustStore::open(const std::filesystem::path& home) {
  TrustStore store(home / "trust.json");
  CLEVER_TRY(store.load());
  return store;
}

base::Result<void> TrustStore::load() {
  trusted_.clear();
  const auto text = io::read_file(file_, kLargestTrustFile);
  if (!text.ok()) {
    if (text.error().code() == base::ErrorCode::kNotFound) return {};
    return text.error();
  }
  const json document = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !document.contains("projects") ||
      !document["projects"].is_object()) {
    return unreadable(file_, "is not in the form that agents writes");
  }
  if (document.value("version", json(0)) != json(kTrustVersion)) {
    return unreadable(file_, "was written by another version of agents");
  }
  for (const auto& [project, commands] : document["projects"].items()) {
    if (!commands.is_object()) return unreadable(file_, "is not in the form that agents writes");
    for (const auto& [key, digests] : commands.items()) {
      if (!is_list_of_texts(digests))
        return unreadable(file_, "is not in the form that agents writes");
      for (const json& digest : digests) trusted_[project][key].insert(digest.get<std::string>());
    }
  }
  return {};
}

base::Result<void> TrustStore::change(const std::function<base::Result<void>(Trusted&)>& edit,
                                      const base::StopToken& stop) {
  CLEVER_TRY(io::make_directories(file_.parent_path()));
  base::SystemClock clock;
  CLEVER_ASSIGN(const io::FileLock lock,
                io::FileLock::acquire(file_.string() + ".lock", stop,
                                      base::Deadline::after(clock, kPatience)));
  CLEVER_TRY(load());
  CLEVER_TRY(edit(trusted_));
  json document{{"version", kTrustVersion}, {"projects", json::object()}};
  for (const auto& [project, commands] : trusted_) {
    json& entry = document["projects"][project] = json::object();
    for (const auto& [key, digests] : commands) entry[key] = digests;
  }
  // A path need not be UTF-8.
  const std::string text = document.dump(2, ' ', false, json::error_handler_t::replace);
  return io::write_file_atomically(file_, text + "\n");
}

bool TrustStore::trusts(const std::filesystem::path& project,
                        const std::vector<NamedCommand>& commands) const {
  return untrusted(project, commands).empty();
}

std::vector<NamedCommand> TrustStore::untrusted(const std::filesystem::path& project,
                                                const std::vector<NamedCommand>& commands) const {
  const auto root = io::real_path(project);
  const auto known = root.ok() ? trusted_.find(root->string()) : trusted_.end();
  if (known == trusted_.end()) return commands;
  std::vector<NamedCommand> found;
  for (const NamedCommand& command : commands) {
    const auto digests = known->second.find(command_key(command));
    const auto digest = digest_of(*root, command);
    const bool trusted =
        digest.ok() && digests != known->second.end() && digests->second.contains(*digest);
    if (!trusted) found.push_back(command);
  }
  return found;
}

base::Result<void> TrustStore::trust(const std::filesystem::path& project,
                                     const std::vector<NamedCommand>& commands,
                                     const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::filesystem::path root, io::real_path(project));
  Digests looked_at;
  for (const NamedCommand& command : commands) {
    CLEVER_ASSIGN(std::string digest, digest_of(root, command));
    looked_at[command_key(command)].insert(std::move(digest));
  }
  return change(
      [&](Trusted& trusted) -> base::Result<void> {
        Digests& known = trusted[root.string()];
        for (const auto& [key, digests] : looked_at) known[key] = digests;
        return {};
      },
      stop);
}

base::Result<void> TrustStore::revoke(const std::filesystem::path& project,
                                      const base::StopToken& stop) {
  // Finds a project by its path, so that trust can be revoked after the folder is gone.
  const std::string root = io::real_path(project).value_or(io::absolute_path(project)).string();
  return change(
      [&](Trusted& trusted) -> base::Result<void> {
        if (trusted.erase(root) > 0) return {};
        return base::not_found("nothing of " + root + " is trusted");
      },
      stop);
}

base::Result<std::vector<std::string>> TrustStore::files_of(const std::filesystem::path& project,
                                                            const NamedCommand& command) {
  CLEVER_ASSIGN(const std::filesystem::path root, io::real_path(project));
  internal::NamedFiles files(root);
  for (const std::string& file : command.files) CLEVER_TRY(files.add_path(file));
  for (const std::string& word : command.argv) CLEVER_TRY(files.add_words(word));
  return std::move(files).names();
}

}  // namespace clever::engine
