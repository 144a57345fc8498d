#include "service/forge/forge.h"

#include <algorithm>

#include "base/text.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr auto kForgeKinds = std::to_array<ForgeKindInfo>({
    {.kind = ForgeKind::kGitHub,
     .name = "github",
     .title = "GitHub",
     .api_path = "/api/v3",
     .requests = "/pulls",
     .open_query = "?state=open&per_page=50&head=",
     .update_method = "PATCH",
     .authorization = "Bearer ",
     .number = "number",
     .url = "html_url",
     .head = "head",
     .base = "base",
     .body = "body",
     .draft_title = "",
     .variables = {"GH_TOKEN", "GITHUB_TOKEN"},
     .program = "gh",
     .program_arguments = {"auth", "token", "--hostname"},
     .scope = "the scope `repo`, or `Pull requests: write` for a fine-grained token"},
    {.kind = ForgeKind::kGitLab,
     .name = "gitlab",
     .title = "GitLab",
     .api_path = "/api/v4",
     .requests = "/merge_requests",
     .open_query = "?state=opened&per_page=50&source_branch=",
     .update_method = "PUT",
     .authorization = "Bearer ",
     .number = "iid",
     .url = "web_url",
     .head = "source_branch",
     .base = "target_branch",
     .body = "description",
     .draft_title = "Draft: ",
     .variables = {"GITLAB_TOKEN", "GL_TOKEN"},
     .program = "glab",
     .program_arguments = {"config", "get", "token", "--host"},
     .scope = "the scope `api` and the role Developer"},
    {.kind = ForgeKind::kForgejo,
     .name = "forgejo",
     .title = "Forgejo",
     .api_path = "/api/v1",
     .requests = "/pulls",
     .open_query = "?state=open&limit=50&page=",
     .update_method = "PATCH",
     .authorization = "token ",
     .number = "number",
     .url = "html_url",
     .head = "head",
     .base = "base",
     .body = "body",
     .draft_title = "WIP: ",
     .variables = {"FORGEJO_TOKEN", "GITEA_TOKEN"},
     .program = "",
     .program_arguments = {},
     .scope = "the permission `write:repository`"},
});

std::string without_end(std::string text, std::string_view end) {
  if (text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

std::string clean_path(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return without_end(std::string(path), ".git");
}

// "user:password@host:22" → the host; only an http URL keeps its port.
void read_authority(std::string_view authority, RemoteAddress& remote) {
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = authority.substr(0, at);
    const std::size_t colon = user.find(':');
    // A token may stand in place of the name.
    remote.password = user.substr(colon == std::string_view::npos ? 0 : colon + 1);
    authority.remove_prefix(at + 1);
  }
  if (remote.scheme == "ssh") {
    remote.password.clear();
    authority = authority.substr(0, authority.find(':'));
  }
  remote.host = base::lower_case(authority);
}

std::optional<ForgeKind> kind_of_host(std::string_view host) {
  const auto is_in = [&](std::string_view domain) {
    return host == domain || host.ends_with("." + std::string(domain));
  };
  if (is_in("github.com") || is_in("ghe.com") || host.starts_with("github.")) {
    return ForgeKind::kGitHub;
  }
  if (host.contains("gitlab")) return ForgeKind::kGitLab;
  const bool is_known = is_in("codeberg.org") || is_in("gitea.com");
  if (is_known || host.contains("forgejo") || host.contains("gitea")) return ForgeKind::kForgejo;
  return std::nullopt;
}

// The hosts that the variables of tokens are meant for.
bool is_well_known(std::string_view host) {
  constexpr std::array<std::string_view, 5> kHosts{"github.com", "ssh.github.com", "gitlab.com",
                                                   "codeberg.org", "gitea.com"};
  return std::ranges::find(kHosts, host) != kHosts.end() || host.ends_with(".ghe.com");
}

std::string api_of(const RemoteAddress& remote, ForgeKind kind) {
  if (kind == ForgeKind::kGitHub) {
    if (remote.host == "github.com" || remote.host == "ssh.github.com") {
      return "https://api.github.com";
    }
    if (remote.host.ends_with(".ghe.com")) return "https://api." + remote.host;
  }
  const std::string scheme = remote.scheme == "http" ? "http" : "https";
  return scheme + "://" + remote.host + std::string(info(kind).api_path);
}

bool is_loopback(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  const std::string_view rest = url.substr(kScheme.size());
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (authority.contains('@')) return false;
  if (authority.starts_with("[::1]")) return true;
  const std::string_view host = authority.substr(0, authority.find(':'));
  return host == "localhost" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos);
}

base::Result<void> check_api(const std::string& api) {
  if (api.starts_with("https://")) return {};
  if (api.starts_with("http://") && is_loopback(api)) return {};
  return base::invalid_argument("the API " + in_quotes(api) +
                                " is not https: a token would be readable on its way; set "
                                "forge.api to an https URL");
}

base::Result<ForgeKind> kind_of(const RemoteAddress& remote, const ForgeSettings& settings) {
  if (!settings.kind.empty() && settings.kind != "auto") {
    if (const auto kind = forge_kind_from_string(settings.kind)) return *kind;
    return base::invalid_argument("forge.kind is " + in_quotes(settings.kind) +
                                  ": it is github, gitlab or forgejo");
  }
  if (const auto kind = kind_of_host(remote.host)) return *kind;
  const std::string what =
      remote.host.empty() ? "the remote is a folder of this machine"
                          : "what runs on " + printable(remote.host) + " does not show in its name";
  return base::invalid_argument(what +
                                ": say it with `agents config set forge.kind github`, gitlab or "
                                "forgejo");
}

}  // namespace

const ForgeKindInfo& info(ForgeKind kind) {
  return *std::ranges::find(kForgeKinds, kind, &ForgeKindInfo::kind);
}

std::optional<ForgeKind> forge_kind_from_string(std::string_view name) {
  const auto* const found = std::ranges::find(kForgeKinds, name, &ForgeKindInfo::name);
  if (found == kForgeKinds.end()) return std::nullopt;
  return found->kind;
}

RemoteAddress parse_remote(std::string_view url) {
  RemoteAddress remote;
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    remote.scheme = base::lower_case(url.substr(0, scheme));
    url.remove_prefix(scheme + 3);
    const std::size_t slash = std::min(url.find('/'), url.size());
    if (remote.scheme == "file") {
      remote.scheme.clear();
    } else {
      read_authority(url.substr(0, slash), remote);
    }
    remote.path = clean_path(url.substr(slash));
    return remote;
  }
  // git@host:owner/name, but not ./a:b
  const std::size_t colon = url.find(':');
  if (colon != std::string_view::npos && url.find('/') > colon) {
    remote.scheme = "ssh";
    read_authority(url.substr(0, colon), remote);
    url.remove_prefix(colon + 1);
  }
  remote.path = clean_path(url);
  return remote;
}

base::Result<Forge> find_forge(const RemoteAddress& remote, const ForgeSettings& settings) {
  Forge forge;
  CLEVER_ASSIGN(forge.kind, kind_of(remote, settings));
  forge.host = remote.host;
  const bool named = !settings.api.empty() || (!settings.kind.empty() && settings.kind != "auto");
  forge.trusted = named || is_well_known(remote.host);
  if (remote.host.empty() && settings.api.empty()) {
    return base::invalid_argument(
        "the remote is a folder of this machine: set forge.api to the URL of the forge's API");
  }
  forge.api = settings.api.empty() ? api_of(remote, forge.kind) : settings.api;
  while (forge.api.ends_with('/')) forge.api.pop_back();
  CLEVER_TRY(check_api(forge.api));
  if (forge.host.empty()) forge.host = forge.api.substr(forge.api.find("://") + 3);
  forge.host = forge.host.substr(0, forge.host.find('/'));
  forge.repository = settings.repository.empty() ? remote.path : clean_path(settings.repository);
  if (!forge.repository.contains('/') || (remote.host.empty() && settings.repository.empty())) {
    return base::invalid_argument("the remote does not say which repository of " +
                                  printable(forge.host) + " it is: add --repository OWNER/NAME");
  }
  return forge;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (kPlain.contains(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return encoded;
}

}  // namespace clever::service
