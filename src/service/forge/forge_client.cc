#include "service/forge/forge_client.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "io/http_fetch.h"
#include "service/text.h"

namespace clever::service {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kAnswerPatience{60};
constexpr std::size_t kLargestAnswer = std::size_t{16} << 20U;
constexpr std::size_t kLongestReason = 300;
constexpr int kMostPages = 20;

std::string text_in(const json& object, std::string_view key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

std::string shortened(const std::string& text) {
  return std::string(base::utf8_prefix(printable(text), kLongestReason));
}

// {"message":"Validation Failed","errors":[{"message":"No commits between main and fix"}]}, in
// which the forges differ.
std::string reason_in(const std::string& body) {
  const json answer = json::parse(body, nullptr, false);
  std::string reason = text_in(answer, "message");
  if (reason.empty() && answer.is_object() && answer.contains("message")) {
    reason = answer["message"].dump(-1, ' ', false, json::error_handler_t::replace);
  }
  if (reason.empty()) reason = text_in(answer, "error");
  if (answer.is_object() && answer.contains("errors") && answer["errors"].is_array()) {
    for (const json& error : answer["errors"]) {
      const std::string more =
          error.is_string() ? error.get<std::string>() : text_in(error, "message");
      if (!more.empty()) reason += (reason.empty() ? "" : ": ") + more;
    }
  }
  return shortened(reason);
}

base::Error not_as_expected(const Forge& forge) {
  return base::unavailable(printable(forge.api) + " did not answer as the API of " +
                           std::string(info(forge.kind).title) +
                           " does: check forge.api and forge.kind");
}

base::Result<PullRequest> pull_request(const json& object, const Forge& forge) {
  const ForgeKindInfo& kind = info(forge.kind);
  const auto number = object.is_object() ? object.find(kind.number) : object.end();
  if (!object.is_object() || number == object.end() || !number->is_number_integer()) {
    return not_as_expected(forge);
  }
  PullRequest request{.number = number->get<std::int64_t>(),
                      .url = text_in(object, kind.url),
                      .title = text_in(object, "title"),
                      .base = text_in(object, kind.base)};
  // {"base":{"ref":"main"}}
  if (object.contains(kind.base) && object[std::string(kind.base)].is_object()) {
    request.base = text_in(object[std::string(kind.base)], "ref");
  }
  return request;
}

// Of a fork's branch with the same name it is not the request.
bool is_of_branch(const json& object, const std::string& head, const Forge& forge) {
  const std::string key(info(forge.kind).head);
  if (!object.is_object() || !object.contains(key)) return false;
  const json& found = object[key];
  if (found.is_string()) return found.get<std::string>() == head;
  if (text_in(found, "ref") != head) return false;
  const auto repository = found.find("repo");
  if (repository == found.end() || !repository->is_object()) return true;
  const std::string name = text_in(*repository, "full_name");
  return name.empty() || base::lower_case(name) == base::lower_case(forge.repository);
}

base::Error no_answer(const Forge& forge, const base::Error& error) {
  using enum base::ErrorCode;
  if (error.code() == kCancelled || error.code() == kInvalidArgument) return error;
  return {error.code(), printable(forge.host) + ": " + error.sentence()};
}

}  // namespace

ForgeClient::ForgeClient(Forge forge, ForgeToken token, io::Http& http, base::Clock& clock,
                         base::StopToken stop)
    : forge_(std::move(forge)),
      token_(std::move(token)),
      http_(http),
      clock_(clock),
      stop_(std::move(stop)) {}

std::string ForgeClient::repository_url() const {
  if (forge_.kind == ForgeKind::kGitLab) {
    return forge_.api + "/projects/" + percent_encoded(forge_.repository);
  }
  return forge_.api + "/repos/" + forge_.repository;
}

base::Error ForgeClient::refusal(int status, const std::string& body,
                                 const std::string& doing) const {
  const std::string host = printable(forge_.host);
  const std::string repository = printable(forge_.repository);
  const std::string reason = reason_in(body);
  const std::string said = reason.empty() ? "" : ": " + reason;
  const std::string code = " (" + std::to_string(status) + said + ")";
  switch (status) {
    case 401:
      return base::permission_denied(host + " does not accept the token of " + token_.source +
                                     code + ": make a new one with " +
                                     std::string(info(forge_.kind).scope));
    case 403:
      return base::permission_denied("the token of " + token_.source + " may not do this in " +
                                     repository + ", " + doing + code + ": it needs " +
                                     std::string(info(forge_.kind).scope));
    case 404:
      return base::not_found(host + " has no repository " + repository + ", or the token of " +
                             token_.source + " cannot see it" + code +
                             ": `git remote -v` shows where the remote is, --repository names "
                             "another one");
    case 429:
      return base::unavailable(host + " takes no more requests for now" + code +
                               ": run the command again later");
    default:
      break;
  }
  if (status >= 300 && status < 400) {
    return base::not_found(repository + " has moved" + code +
                           ": set the new address with `git remote set-url`");
  }
  if (status >= 500) {
    return base::unavailable(host + " failed while " + doing + code +
                             ": run the command again later");
  }
  return base::conflict(host + " refused it while " + doing + code);
}

base::Result<std::string> ForgeClient::call(std::string_view method, const std::string& url,
                                            const std::string& doing, const std::string& body) {
  io::HttpRequest request{
      .method = std::string(method),
      .url = url,
      .headers = {{"authorization", std::string(info(forge_.kind).authorization) + token_.text},
                  {"accept", "application/json"}},
      .body = body,
      .answer_limit = kLargestAnswer};
  if (!body.empty()) request.headers.push_back({"content-type", "application/json"});
  const auto answer =
      io::fetch(http_, std::move(request), stop_, base::Deadline::after(clock_, kAnswerPatience));
  if (!answer.ok()) return no_answer(forge_, answer.error());
  const int status = answer->head.status;
  if (status < 200 || status >= 300) return refusal(status, answer->body, doing);
  return answer->body;
}

base::Result<std::string> ForgeClient::default_branch() {
  CLEVER_ASSIGN(const std::string text, call("GET", repository_url(), "reading the repository"));
  std::string branch = text_in(json::parse(text, nullptr, false), "default_branch");
  if (branch.empty()) return not_as_expected(forge_);
  return branch;
}

base::Result<std::optional<PullRequest>> ForgeClient::find(const std::string& head) {
  const ForgeKindInfo& kind = info(forge_.kind);
  const std::string url =
      repository_url() + std::string(kind.requests) + std::string(kind.open_query);
  const bool pages = kind.open_query.ends_with("page=");
  const std::string owner = forge_.repository.substr(0, forge_.repository.find('/'));
  const std::string branch =
      percent_encoded(forge_.kind == ForgeKind::kGitHub ? owner + ":" + head : head);
  for (int page = 1; page <= (pages ? kMostPages : 1); ++page) {
    CLEVER_ASSIGN(const std::string text, call("GET", url + (pages ? std::to_string(page) : branch),
                                               "looking for an open pull request"));
    const json list = json::parse(text, nullptr, false);
    if (!list.is_array()) return not_as_expected(forge_);
    for (const json& each : list) {
      if (!is_of_branch(each, head, forge_)) continue;
      CLEVER_ASSIGN(PullRequest found, pull_request(each, forge_));
      return std::optional(std::move(found));
    }
    if (list.empty()) break;
  }
  return std::optional<PullRequest>();
}

std::string ForgeClient::body_of(const PullRequestFields& fields) const {
  const ForgeKindInfo& kind = info(forge_.kind);
  json object = json::object();
  if (!fields.head.empty()) object[std::string(kind.head)] = fields.head;
  if (fields.base) object[std::string(kind.base)] = *fields.base;
  if (fields.body) object[std::string(kind.body)] = *fields.body;
  if (fields.title) {
    object["title"] = (fields.draft ? std::string(kind.draft_title) : "") + *fields.title;
  }
  if (fields.draft && kind.draft_title.empty()) object["draft"] = true;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

base::Result<PullRequest> ForgeClient::open(const PullRequestFields& fields) {
  const std::string url = repository_url() + std::string(info(forge_.kind).requests);
  CLEVER_ASSIGN(const std::string text,
                call("POST", url, "opening a pull request", body_of(fields)));
  return pull_request(json::parse(text, nullptr, false), forge_);
}

base::Result<PullRequest> ForgeClient::update(std::int64_t number,
                                              const PullRequestFields& fields) {
  const ForgeKindInfo& kind = info(forge_.kind);
  const std::string url =
      repository_url() + std::string(kind.requests) + "/" + std::to_string(number);
  CLEVER_ASSIGN(const std::string text,
                call(kind.update_method, url, "changing the pull request", body_of(fields)));
  return pull_request(json::parse(text, nullptr, false), forge_);
}

}  // namespace clever::service
