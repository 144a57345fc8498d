#include <utility>

#include "base/random.h"
#include "service/access/logins.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/login.h"
#include "service/commands/token.h"
#include "service/timestamp.h"

namespace clever::service {
namespace {

// Who signs in: the caller, or whom an admin names.
base::Result<std::string> person_of(const Invocation& invocation, Context& context) {
  if (const auto named = invocation.value("person")) return std::string(*named);
  std::string own = person_name(context);
  if (check_access_name(own).ok()) return own;
  return base::invalid_argument("name the person who signs in: " + own + " is none");
}

base::Result<Report> approve(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(std::string person, person_of(invocation, context));
  CLEVER_ASSIGN(const TokenDatabase database, TokenDatabase::open(invocation, context));
  const Caller& caller = database.caller();
  TokenRequest request{.person = std::move(person),
                       .scopes = invocation.values("scope"),
                       .namespaces = invocation.values("namespace")};
  if (request.scopes.empty()) {
    for (const std::string_view name : caller.rights.names()) request.scopes.emplace_back(name);
  }
  if (request.namespaces.empty() && caller.namespaces) request.namespaces = *caller.namespaces;
  base::SystemRandom random;
  CLEVER_ASSIGN(const auto token,
                approve_device(database.desk(), invocation.word(0), std::move(request), random));
  Report report;
  report.data = Document::map()
                    .set("person", token.person)
                    .set("scopes", Document::texts(token.rights))
                    .set("namespaces",
                         token.namespaces.empty() ? Document() : Document::texts(token.namespaces))
                    .set("expires_at", timestamp(base::WallTime(token.expires)));
  report.view = {Prose{{{{"The device that shows this code signs in as "},
                         {token.person, Tone::kStrong},
                         {" within five minutes."}}}}};
  report.messages.push_back(
      {Message::Level::kHint,
       "if it does not, the code was mistyped; `agents token list` shows the token it got"});
  return report;
}

}  // namespace

Command login_approve_command() {
  return {.name = "approve",
          .summary = "Let a device that shows this code sign in",
          .description =
              "`agents login URL` shows a code at the device that signs in. Approve only a code "
              "that you see on your own device. The device gets your rights, or those you name.",
          .positionals = {{.name = "CODE", .summary = "Such as ABCD-EFGH-JKMN"}},
          .options = {{.name = "scope",
                       .value = "SCOPE",
                       .summary = "Grant this right alone; may be repeated",
                       .choices = {"read", "run", "approve", "admin"},
                       .repeated = true},
                      {.name = "namespace",
                       .value = "NAME",
                       .summary = "Bind it to the projects of this namespace; may be repeated",
                       .repeated = true},
                      {.name = "person",
                       .value = "NAME",
                       .summary = "Sign in this person: takes the right admin"},
                      database_option()},
          .examples = {{"agents login approve ABCD-EFGH-JKMN --scope read",
                        "The device may look, and nothing else"}},
          .handler = approve};
}

}  // namespace clever::service
