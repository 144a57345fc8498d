#include "service/commands/login.h"

#include <utility>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/text.h"
#include "service/access/logins.h"
#include "service/commands/commands.h"
#include "service/wire/server_logins.h"
#include "service/wire/wire_document.h"

namespace clever::service {
namespace {

using model::Document;

constexpr std::string_view kInLink = "#login=";
constexpr std::chrono::seconds kAskAgainAfter{1};

/// One login: from the URL to the stored token. Used by one thread.
class SignIn {
 public:
  SignIn(std::string address, Context& context) : address_(std::move(address)), context_(context) {}

  base::Result<Report> by_code(std::string_view code) {
    CLEVER_ASSIGN(const ServerReply reply, post(Document::map().set("code", code)));
    return finish(reply);
  }

  base::Result<Report> by_token(std::string token) {
    CLEVER_ASSIGN(ServerReply reply,
                  ask_server({.address = address_, .path = "/v1/me", .token = token}, context_));
    reply.body.set("token", std::move(token));
    return finish(reply);
  }

  base::Result<Report> by_device() {
    base::SystemRandom random;
    const std::string secret = secret_digits(random);
    context_.redactor().add(secret);
    const Document body = Document::map().set("device", secret);
    const auto deadline = base::Deadline::after(context_.clock(), kLoginCodeLasts);
    CLEVER_ASSIGN(ServerReply reply, post(body));
    if (reply.status == 202) CLEVER_TRY(show(device_code(secret)));
    while (reply.status == 202) {
      CLEVER_TRY(pause(deadline));
      CLEVER_ASSIGN(reply, post(body));
    }
    return finish(reply);
  }

 private:
  base::Result<ServerReply> post(const Document& body) {
    return ask_server({.address = address_, .method = "POST", .path = "/v1/login", .body = body},
                      context_);
  }

  base::Result<void> show(const std::string& code) {
    return context_.screen().say({Prose{{
        {{"The code of this device is "}, {code, Tone::kStrong}, {"."}},
        {{"Approve it within five minutes where you are signed in: "},
         {"agents login approve " + code, Tone::kStrong}},
    }}});
  }

  base::Result<void> pause(base::Deadline deadline) {
    if (deadline.passed()) {
      return base::deadline_exceeded("no one approved the code within five minutes");
    }
    const auto waited = base::Monitor<bool>().wait(
        context_.stop(), base::Deadline::after(context_.clock(), kAskAgainAfter),
        [](const bool& over) { return over; });
    if (waited.ok() || waited.error().code() == base::ErrorCode::kDeadlineExceeded) return {};
    return waited.error();
  }

  base::Result<Report> finish(const ServerReply& reply) {
    if (reply.status != 200) return refusal_of(reply);
    const std::string token = text_at(reply.body, "token");
    if (token.empty()) return base::unavailable(address_ + " answered without a token");
    context_.redactor().add(token);
    CLEVER_TRY(store_token(context_.home(), address_, token, context_.stop()));
    const std::string caller = text_at(reply.body, "caller");
    const auto rights = texts_at(reply.body, "rights");
    Report report;
    report.data = Document::map()
                      .set("server", address_)
                      .set("caller", caller)
                      .set("rights", Document::texts(rights));
    report.view = {Prose{{{{"Signed in to " + address_ + " as "},
                           {caller, Tone::kStrong},
                           {" (" + base::joined(rights) + ")."}}}}};
    if (address_.starts_with("http://") && !is_address_here(address_)) {
      report.warn(
          "this server is reached without encryption: others on the way can read the token");
    }
    return report;
  }

  const std::string address_;
  Context& context_;
};

base::Result<Report> sign_in(const Invocation& invocation, Context& context) {
  const std::string typed = invocation.word(0);
  const std::size_t link = typed.find(kInLink);
  CLEVER_ASSIGN(std::string address, server_address(std::string_view(typed).substr(0, link)));
  SignIn sign_in_run(std::move(address), context);
  if (link != std::string::npos) {
    return sign_in_run.by_code(std::string_view(typed).substr(link + kInLink.size()));
  }
  if (!invocation.flag("token")) return sign_in_run.by_device();
  CLEVER_ASSIGN(const std::string token, context.input());
  if (base::is_blank(token)) {
    return base::invalid_argument("--token: expected the token on standard input");
  }
  return sign_in_run.by_token(std::string(base::trimmed(token)));
}

base::Result<Report> sign_out(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::string address, named_server(invocation, context));
  CLEVER_ASSIGN(const auto token, stored_token(context.home(), address));
  if (!token) return base::not_found("no login to " + address + " is stored");
  const auto reply = ask_server(
      {.address = address, .method = "POST", .path = "/v1/logout", .token = *token}, context);
  CLEVER_TRY(forget_token(context.home(), address, context.stop()));
  Report report;
  const bool is_revoked = reply.ok() && (reply->status == 200 || reply->status == 401);
  report.data = Document::map().set("server", address).set("revoked", is_revoked);
  report.view = {Prose{{{{"Signed out of " + address + "."}}}}};
  if (!is_revoked) {
    report.warn("the token is removed here, but still valid there: " +
                (reply.ok() ? refusal_of(*reply) : reply.error()).sentence());
  }
  return report;
}

base::Result<Report> who_am_i(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::string address, named_server(invocation, context));
  CLEVER_ASSIGN(const std::string token, token_for(context.home(), address));
  CLEVER_ASSIGN(const ServerReply reply,
                ask_server({.address = address, .path = "/v1/me", .token = token}, context));
  if (reply.status != 200) return refusal_of(reply);
  Report report;
  report.data = reply.body;
  report.data.set("server", address);
  const auto spaces = texts_at(reply.body, "namespaces");
  const std::string until = text_at(reply.body, "expires_at");
  report.view = {Fields{.title = "",
                        .fields = {{"server", {address}},
                                   {"caller", {text_at(reply.body, "caller"), Tone::kStrong}},
                                   {"rights", {base::joined(texts_at(reply.body, "rights"))}},
                                   {"namespaces", {spaces.empty() ? "all" : base::joined(spaces)}},
                                   {"until", {until.empty() ? "always" : until}}}}};
  return report;
}

Positional server_positional(std::string_view summary) {
  return {.name = "URL", .summary = summary, .required = false};
}

}  // namespace

Command login_command() {
  return {
      .name = "login",
      .summary = "Sign in to a server",
      .description =
          "Shows a code, and waits up to five minutes until a person who is signed in approves it "
          "with `agents login approve CODE`. A link from `agents token link` signs in at once. The "
          "token is kept in tokens.json of the home, which you alone can read.",
      .positionals = {{.name = "URL", .summary = "https://HOST:7777, unix:/PATH, or a login link"}},
      .options = {{.name = "token", .summary = "Keep the token that is on standard input"}},
      .examples = {{"agents login https://agents.example:7777", "Sign this device in"},
                   {"agents login 127.0.0.1:7777 --token", "With the token on standard input"}},
      .subcommands = {login_approve_command()},
      .handler = sign_in};
}

Command logout_command() {
  return {.name = "logout",
          .summary = "Sign out of a server: revoke this device's token",
          .positionals = {server_positional("The server (default: the only one)")},
          .examples = {{"agents logout https://agents.example:7777", "Sign this device out"}},
          .handler = sign_out};
}

Command whoami_command() {
  return {.name = "whoami",
          .summary = "Show who you are at a server, and your rights there",
          .positionals = {server_positional("The server (default: the only one)")},
          .examples = {{"agents whoami", "At the server you are signed in to"}},
          .handler = who_am_i};
}

}  // namespace clever::service
