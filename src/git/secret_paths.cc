#include "git/secret_paths.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "git/internal/lines.h"

namespace clever::git {
namespace {

using enum Secrecy;

// Names of files and folders anywhere, and paths of several names. A `*` stands for any text within
// a name, at most once. Case does not matter. The first row that matches a name decides.
struct Row {
  std::string_view pattern;
  Secrecy secrecy;
};
constexpr auto kTable = std::to_array<Row>({
    // Templates, which hold no values.
    {".env*.example", kNone},
    {".env*.sample", kNone},
    {".env*.template", kNone},
    {".env*.dist", kNone},
    {".env*.defaults", kNone},
    {".env*.schema", kNone},
    // Environment files of programs.
    {".env", kSecret},
    {".env.*", kSecret},
    // Keys for machines and for signing.
    {".ssh", kSecret},
    {".gnupg", kSecret},
    {"id_rsa", kSecret},
    {"id_dsa", kSecret},
    {"id_ecdsa", kSecret},
    {"id_ecdsa_sk", kSecret},
    {"id_ed25519", kSecret},
    {"id_ed25519_sk", kSecret},
    {"*.ppk", kSecret},
    // Clouds and clusters.
    {".aws", kSecret},
    {".azure", kSecret},
    {".kube", kSecret},
    {".config/gcloud", kSecret},
    {".config/doctl", kSecret},
    {".config/rclone", kSecret},
    {".docker/config.json", kSecret},
    {".config/containers/auth.json", kSecret},
    {".terraform.d/credentials.tfrc.json", kSecret},
    {".vault-token", kSecret},
    // Hosts of code and packages.
    {".netrc", kSecret},
    {"_netrc", kSecret},
    {".git-credentials", kSecret},
    {".config/git/credentials", kSecret},
    {".config/gh", kSecret},
    {".config/hub", kSecret},
    {".cargo/credentials", kSecret},
    {".cargo/credentials.toml", kSecret},
    {".gem/credentials", kSecret},
    {".composer/auth.json", kSecret},
    {".m2/settings.xml", kSecret},
    {".subversion/auth", kSecret},
    {".npmrc", kByContent},
    {".yarnrc", kByContent},
    {".yarnrc.yml", kByContent},
    {".pypirc", kByContent},
    // Databases.
    {".pgpass", kSecret},
    {".my.cnf", kSecret},
    // Passwords and the profiles of browsers and mail programs.
    {".password-store", kSecret},
    {"*.kdbx", kSecret},
    {".local/share/keyrings", kSecret},
    {".local/share/kwalletd", kSecret},
    {".config/op", kSecret},
    {".config/bitwarden", kSecret},
    {".config/bitwarden cli", kSecret},
    {".mozilla", kSecret},
    {".thunderbird", kSecret},
    {".config/google-chrome", kSecret},
    {".config/chromium", kSecret},
    {".config/bravesoftware", kSecret},
    {".config/microsoft-edge", kSecret},
    {".config/vivaldi", kSecret},
    {".config/opera", kSecret},
    {"snap/firefox", kSecret},
    {"snap/chromium", kSecret},
    // Shell histories, and the keys of other agents.
    {".bash_history", kSecret},
    {".zsh_history", kSecret},
    {".python_history", kSecret},
    {".psql_history", kSecret},
    {".mysql_history", kSecret},
    {".claude/.credentials.json", kSecret},
    {".codex/auth.json", kSecret},
    // Names that often, but not always, hold secrets.
    {"*.env", kLikely},
    {".envrc", kLikely},
    {"*.pem", kLikely},
    {"*.key", kLikely},
    {"*.p12", kLikely},
    {"*.pfx", kLikely},
    {"*.jks", kLikely},
    {"*.keystore", kLikely},
    {"id_*", kLikely},
    {".htpasswd", kLikely},
    {"credentials", kLikely},
    {"credentials.*", kLikely},
    {"secret.*", kLikely},
    {"secrets.*", kLikely},
    {"*.tfstate", kLikely},
    {"service-account*.json", kLikely},
});

// The table, arranged so that an ordinary name costs one look-up and a few comparisons of bytes.
class Table {
 public:
  Table() {
    for (std::size_t i = 0; i < kTable.size(); ++i) {
      const std::string_view pattern = kTable[i].pattern;
      if (const std::size_t star = pattern.find('*'); star != std::string_view::npos) {
        wild_.push_back({pattern.substr(0, star), pattern.substr(star + 1), i});
      } else {
        exact_[pattern.substr(pattern.rfind('/') + 1)].push_back(i);
      }
    }
  }

  // `path` ends with `name`; both are lower case.
  [[nodiscard]] Secrecy at(std::string_view path, std::string_view name) const {
    std::size_t first = kTable.size();
    if (const auto rows = exact_.find(name); rows != exact_.end()) {
      const auto row = std::ranges::find_if(
          rows->second, [&](std::size_t i) { return ends_with_path(path, kTable[i].pattern); });
      if (row != rows->second.end()) first = *row;
    }
    for (const Wild& wild : wild_) {
      if (wild.row > first) break;
      if (wild.matches(name)) first = wild.row;
    }
    return first == kTable.size() ? kNone : kTable[first].secrecy;
  }

 private:
  struct Wild {
    std::string_view before;
    std::string_view after;
    std::size_t row;
    [[nodiscard]] bool matches(std::string_view name) const {
      return name.size() >= before.size() + after.size() && name.starts_with(before) &&
             name.ends_with(after);
    }
  };

  static bool ends_with_path(std::string_view path, std::string_view pattern) {
    if (!path.ends_with(pattern)) return false;
    return path.size() == pattern.size() || path[path.size() - pattern.size() - 1] == '/';
  }

  // Rows by their last name, and rows with a star; both in table order.
  std::unordered_map<std::string_view, std::vector<std::size_t>> exact_;
  std::vector<Wild> wild_;
};

const Table& table() {
  static const Table kArranged;
  return kArranged;
}

struct Setting {
  std::string_view key;
  std::string_view value;
};

// Parses a line such as `//registry.npmjs.org/:_authToken=abc` or `password: abc`.
Setting setting_in(std::string_view line) {
  std::size_t at = line.find('=');
  if (at == std::string_view::npos) at = line.rfind(": ");
  if (at == std::string_view::npos) return {};
  constexpr std::string_view kBlank = " \t\r\"'";
  std::string_view value = line.substr(at + 1);
  value.remove_prefix(std::min(value.find_first_not_of(kBlank), value.size()));
  return {.key = line.substr(0, at), .value = value.substr(0, value.find_last_not_of(kBlank) + 1)};
}

}  // namespace

SecretPaths::SecretPaths(SecretRules rules, const std::filesystem::path& root) {
  for (std::string_view text : rules.include) {
    const bool from_root = text.starts_with('/');
    while (text.starts_with('/')) text.remove_prefix(1);
    while (text.ends_with('/')) text.remove_suffix(1);
    if (text.empty() || text.starts_with('!') || text.find_first_of("*?[") != text.npos) continue;
    auto& listed = from_root || text.contains('/') ? listed_paths_ : listed_names_;
    listed.emplace_back(text);
  }
  const auto home = rules.own_home.lexically_normal().lexically_relative(root);
  if (!home.empty() && home != "." && *home.begin() != "..") own_home_ = home.generic_string();
  while (own_home_.ends_with('/')) own_home_.pop_back();
}

bool SecretPaths::is_listed(std::string_view path, std::string_view name) const {
  return std::ranges::find(listed_names_, name) != listed_names_.end() ||
         std::ranges::find(listed_paths_, path) != listed_paths_.end();
}

Secrecy SecretPaths::secrecy(std::string_view path) const {
  if (!members_.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view rest = path.substr(std::min(slash + 1, path.size()));
    for (const auto& [name, secrets] : members_) {
      if (name == path.substr(0, slash)) return rest.empty() ? kNone : secrets.secrecy(rest);
    }
  }
  const bool at_home = !own_home_.empty() && path.starts_with(own_home_) &&
                       (path.size() == own_home_.size() || path[own_home_.size()] == '/');
  if (at_home) return kSecret;
  const std::string lowered = base::lower_case(path);
  Secrecy most = kNone;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::size_t size = end - begin;
    const Secrecy here = table().at(std::string_view(lowered).substr(0, end),
                                    std::string_view(lowered).substr(begin, size));
    if (here != kNone && is_listed(path.substr(0, end), path.substr(begin, size))) return kNone;
    most = std::max(most, here);
    if (most == kSecret) return most;
    begin = end + 1;
  }
  return most;
}

bool SecretPaths::hides(std::string_view path, const Content& content) const {
  const Secrecy known = secrecy(path);
  if (known != kByContent) return known == kSecret;
  const auto text = content();
  return !text.ok() || holds_token(*text);
}

bool holds_token(std::string_view content) {
  constexpr auto kKeys = std::to_array<std::string_view>({"_auth", "token", "password", "secret"});
  return std::ranges::any_of(internal::lines_of(content), [&](std::string_view line) {
    const Setting setting = setting_in(line);
    // The value names a variable; the secret is elsewhere.
    if (setting.value.empty() || setting.value.starts_with("${")) return false;
    const std::string key = base::lower_case(setting.key);
    return std::ranges::any_of(kKeys, [&](std::string_view word) { return key.contains(word); });
  });
}

}  // namespace clever::git
