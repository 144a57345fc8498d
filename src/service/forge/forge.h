#pragma once
// Where a repository is hosted, found from its remote. Values and pure functions. Private to the
// module.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::service {

enum class ForgeKind : std::uint8_t { kGitHub, kGitLab, kForgejo };

/// What differs between the forges' APIs: the request for a pull request's facts and their names.
struct ForgeKindInfo {
  ForgeKind kind;
  /// As the setting forge.kind has it.
  std::string_view name;
  /// For people.
  std::string_view title;
  /// The folder of the API on a host of one's own.
  std::string_view api_path;
  /// The list of pull requests below the repository's URL, and the query for those of a branch.
  std::string_view requests;
  std::string_view open_query;
  std::string_view update_method;
  std::string_view authorization;
  // Keys of a pull request.
  std::string_view number;
  std::string_view url;
  std::string_view head;
  std::string_view base;
  std::string_view body;
  /// Begins the title of a draft; empty: the key `draft` says it.
  std::string_view draft_title;
  /// Variables that may hold a token, the first one counts.
  std::array<std::string_view, 2> variables;
  /// The forge's own program, and its arguments before the host's name; empty: none prints a token.
  std::string_view program;
  std::array<std::string_view, 4> program_arguments;
  /// What the token must be allowed to do.
  std::string_view scope;
};
[[nodiscard]] const ForgeKindInfo& info(ForgeKind kind);
/// "github", "gitlab" or "forgejo".
[[nodiscard]] std::optional<ForgeKind> forge_kind_from_string(std::string_view name);

/// A remote's URL, taken apart.
struct RemoteAddress {
  /// "https", "http" or "ssh"; empty: a folder of this machine.
  std::string scheme{};
  /// Without user and password; with the port of an http URL.
  std::string host{};
  /// "owner/name", without slashes around it and without ".git".
  std::string path{};
  /// The password in the URL, to be kept out of messages.
  std::string password{};
  friend bool operator==(const RemoteAddress&, const RemoteAddress&) = default;
};
/// Reads https://HOST/OWNER/NAME.git, ssh://git@HOST:22/OWNER/NAME, git@HOST:OWNER/NAME and
/// folders.
[[nodiscard]] RemoteAddress parse_remote(std::string_view url);

/// A repository on a forge.
struct Forge {
  ForgeKind kind = ForgeKind::kGitHub;
  /// For people, and for the forge's own program.
  std::string host{};
  /// "https://api.github.com", without a slash at its end.
  std::string api{};
  /// "owner/name"
  std::string repository{};
  /// A well-known host, or one for which the person's settings name the forge: a token that belongs
  /// to no host may go there.
  bool trusted = false;
};

/// What the person set in place of what the remote says; empty: nothing.
struct ForgeSettings {
  std::string kind{};
  std::string api{};
  std::string repository{};
};
/// `invalid_argument` says which setting is missing: a folder has no forge, a host may be of an
/// unknown kind, and a token never goes over http to another machine.
[[nodiscard]] base::Result<Forge> find_forge(const RemoteAddress& remote,
                                             const ForgeSettings& settings);

/// Every byte that is not a letter, digit or one of "-._~" as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace clever::service
