#pragma once
// Pull requests over a forge's API. Private to the module.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/http.h"
#include "service/forge/forge.h"

namespace clever::service {

struct PullRequest {
  std::int64_t number = 0;
  std::string url{};
  std::string title{};
  std::string base{};
};

/// What a pull request is opened with, or changed to; what is absent stays as it is.
struct PullRequestFields {
  std::string head{};
  std::optional<std::string> base{};
  std::optional<std::string> title{};
  std::optional<std::string> body{};
  bool draft = false;
};

/// A token, and where it came from, for messages.
struct ForgeToken {
  std::string text{};
  std::string source{};
};

/// Blocks its thread for each request. Errors name the cause and the remedy, never the token:
/// `permission_denied` (401, 403), `not_found` (404), `conflict` (what the forge refuses),
/// `unavailable` (no connection, 429, 5xx).
class ForgeClient {
 public:
  ForgeClient(Forge forge, ForgeToken token, io::Http& http, base::Clock& clock,
              base::StopToken stop);

  base::Result<std::string> default_branch();
  /// The open pull request of a branch of this repository.
  base::Result<std::optional<PullRequest>> find(const std::string& head);
  base::Result<PullRequest> open(const PullRequestFields& fields);
  base::Result<PullRequest> update(std::int64_t number, const PullRequestFields& fields);

 private:
  [[nodiscard]] std::string repository_url() const;
  /// The answer's JSON text. `doing`: "opening a pull request".
  base::Result<std::string> call(std::string_view method, const std::string& url,
                                 const std::string& doing, const std::string& body = {});
  [[nodiscard]] base::Error refusal(int status, const std::string& body,
                                    const std::string& doing) const;
  [[nodiscard]] std::string body_of(const PullRequestFields& fields) const;

  const Forge forge_;
  const ForgeToken token_;
  io::Http& http_;
  base::Clock& clock_;
  const base::StopToken stop_;
};

}  // namespace clever::service
