#include "server/problem.h"

#include <algorithm>
#include <utility>

#include "model/document_json.h"
#include "service/exit_code.h"

namespace clever::server {
namespace {

using base::ErrorCode;
using model::Document;
using service::ExitCode;

int status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return 422;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict:
      return 409;
    case ErrorCode::kPermissionDenied:
      return 403;
    case ErrorCode::kResourceExhausted:
      return 429;
    case ErrorCode::kCancelled:
    case ErrorCode::kDeadlineExceeded:
    case ErrorCode::kUnavailable:
      return 503;
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      break;
  }
  return 500;
}

struct ExitMeaning {
  int status;
  std::string_view code;
};

ExitMeaning meaning_of(ExitCode code) noexcept {
  switch (code) {
    case ExitCode::kUsage:
      return {422, "invalid_argument"};
    case ExitCode::kNotFound:
      return {404, "not_found"};
    case ExitCode::kConflict:
      return {409, "conflict"};
    case ExitCode::kNeedsPerson:
      return {409, "needs_person"};
    case ExitCode::kOk:
    case ExitCode::kError:
      break;
  }
  return {500, "error"};
}

std::string_view title_of(int status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 412:
      return "Precondition Failed";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

void add_usual_headers(http::Response& response, std::string_view type) {
  response.headers.push_back({"Content-Type", std::string(type)});
  response.headers.push_back({"Cache-Control", "no-store"});
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
}

std::string first_text(const service::Report& report, service::Message::Level level) {
  const auto found = std::ranges::find(report.messages, level, &service::Message::level);
  return found == report.messages.end() ? std::string() : found->text;
}

}  // namespace

http::Response json_response(int status, const Document& document) {
  http::Response response{.status = status, .body = model::to_json(document) + "\n"};
  add_usual_headers(response, "application/json");
  return response;
}

http::Response response_to(const Problem& problem) {
  Document body = Document::map()
                      .set("type", "about:blank")
                      .set("title", title_of(problem.status))
                      .set("status", problem.status)
                      .set("code", problem.code)
                      .set("detail", problem.detail);
  if (!problem.hint.empty()) body.set("hint", problem.hint);
  if (!problem.data.is_null()) body.set("data", problem.data);
  http::Response response{
      .status = problem.status, .headers = problem.headers, .body = model::to_json(body) + "\n"};
  add_usual_headers(response, "application/problem+json");
  return response;
}

Problem problem_of(const base::Error& error) {
  return {.status = status_of(error.code()),
          .code = std::string(base::to_string(error.code())),
          .detail = error.sentence()};
}

Problem bad_request(const base::Error& error) {
  Problem problem = problem_of(error);
  problem.status = 400;
  return problem;
}

Problem problem_of(const service::Report& report) {
  const ExitMeaning meaning = meaning_of(report.exit_code);
  return {.status = meaning.status,
          .code = std::string(meaning.code),
          .detail = first_text(report, service::Message::Level::kError),
          .hint = first_text(report, service::Message::Level::kHint),
          .data = report.data};
}

}  // namespace clever::server
