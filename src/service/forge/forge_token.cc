#include "service/forge/forge_token.h"

#include <chrono>
#include <optional>

#include "base/text.h"
#include "io/find_program.h"
#include "io/process.h"

namespace clever::service {
namespace {

constexpr std::chrono::seconds kTokenPatience{20};

// What the forge's own program has for this host.
std::optional<std::string> token_of_program(const Forge& forge, Context& context) {
  const ForgeKindInfo& kind = info(forge.kind);
  if (kind.program.empty()) return std::nullopt;
  const auto program = io::find_program(kind.program, context.environment());
  if (!program) return std::nullopt;
  std::vector<std::string> argv{program->string()};
  for (const std::string_view word : kind.program_arguments) {
    if (!word.empty()) argv.emplace_back(word);
  }
  argv.push_back(forge.host);
  const auto result =
      io::run_process({.argv = std::move(argv),
                       .environment = context.environment_lines(),
                       .deadline = base::Deadline::after(context.clock(), kTokenPatience),
                       .stop = context.stop()});
  if (!result.ok() || !result->succeeded()) return std::nullopt;
  std::string token(base::trimmed(result->output));
  if (token.empty() || token.find_first_of(base::kBlanks) != std::string::npos) return std::nullopt;
  return token;
}

std::optional<ForgeToken> found_token(const Forge& forge, Context& context) {
  const ForgeKindInfo& kind = info(forge.kind);
  for (const std::string_view name : kind.variables) {
    if (!forge.trusted) break;
    const auto value = context.environment().value(name);
    if (!value || base::is_blank(*value)) continue;
    return ForgeToken{std::string(base::trimmed(*value)), std::string(name)};
  }
  auto token = token_of_program(forge, context);
  if (!token) return std::nullopt;
  return ForgeToken{*std::move(token), "the program " + std::string(kind.program)};
}

}  // namespace

base::Result<ForgeToken> find_forge_token(const Forge& forge, Context& context) {
  const ForgeKindInfo& kind = info(forge.kind);
  if (auto token = found_token(forge, context)) {
    static_cast<void>(context.redactor().add(token->text));
    return *std::move(token);
  }
  if (!forge.trusted) {
    return base::permission_denied("a token of the environment is not sent to " + forge.host +
                                   " unasked: `agents config set forge.kind " +
                                   std::string(kind.name) + "` allows it");
  }
  std::string where = std::string(kind.variables[0]) + " or " + std::string(kind.variables[1]);
  std::string login;
  if (!kind.program.empty()) {
    login = ", or log in with `" + std::string(kind.program) + " auth login`";
  }
  return base::permission_denied("there is no token for " + forge.host + " (" +
                                 std::string(kind.title) + "): set " + where + login);
}

}  // namespace clever::service
