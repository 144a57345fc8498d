#include <utility>

#include "base/number.h"
#include "base/random.h"
#include "service/access/logins.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/token.h"

namespace clever::service {
namespace {

constexpr std::string_view kUsualUrl = "http://127.0.0.1:7777";

base::Result<Report> make_link(const Invocation& invocation, Context& context) {
  TokenRequest request{
      .person = invocation.words().empty() ? person_name(context) : invocation.word(0),
      .label = "login link",
      .scopes = invocation.values("scope"),
      .namespaces = invocation.values("namespace"),
      .days = kUsualLoginDays};
  if (const auto days = invocation.value("days")) {
    request.days = base::to_number<std::int64_t>(*days).value_or(0);
  }
  CLEVER_ASSIGN(const auto file, secret_file(invocation, context));
  CLEVER_ASSIGN(const TokenDatabase database, TokenDatabase::open(invocation, context));
  base::SystemRandom random;
  CLEVER_ASSIGN(const NewToken made, create_login_code(database.desk(), request, random));
  Report report;
  report.data = Document::map()
                    .set("person", made.token.person)
                    .set("scopes", Document::texts(made.token.rights))
                    .set("minutes", kLoginCodeLasts.count());
  const std::string url(invocation.value("url").value_or(kUsualUrl));
  CLEVER_TRY(show_secret(report, "link", login_link(url, made.text), file));
  report.messages.push_back(
      {Message::Level::kHint, "it signs in once, within five minutes: `agents login LINK`"});
  return report;
}

}  // namespace

Command token_link_command() {
  return {.name = "link",
          .summary = "Create a link that signs a person in once",
          .description =
              "The link carries a code that counts once, within five minutes. `agents login LINK` "
              "exchanges it for a token. It is shown at a terminal only, or written to a new file.",
          .positionals = {{.name = "PERSON",
                           .summary = "The person; created if new (default: your account)",
                           .required = false}},
          .options = {{.name = "scope",
                       .value = "SCOPE",
                       .summary = "A right that the token grants; may be repeated",
                       .choices = {"read", "run", "approve", "admin"},
                       .repeated = true},
                      {.name = "namespace",
                       .value = "NAME",
                       .summary = "Bind it to the projects of this namespace; may be repeated",
                       .repeated = true},
                      {.name = "days", .value = "N", .summary = "How long it lasts (default: 30)"},
                      {.name = "url",
                       .value = "URL",
                       .summary = "The server's address (default: http://127.0.0.1:7777)"},
                      {.name = "output",
                       .value = "FILE",
                       .summary = "Write the link to this new file, which you alone can read"},
                      database_option()},
          .examples = {{"agents token link ada --scope read --scope run", "Ada may sign in"}},
          .handler = make_link};
}

}  // namespace clever::service
