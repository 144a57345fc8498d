#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "engine/agents/login_file.h"
#include "model/document_json.h"

// Two JSON documents, one per line: a person's login, and an agent's version of its copy. The
// merged login differs from the person's in tokens and times only, and never loses a token.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return 0;
  const auto theirs = model::parse_document(text.substr(0, line));
  const auto copy = model::parse_document(text.substr(line + 1));
  if (!theirs.ok() || !copy.ok() || !theirs->is_map()) return 0;
  const engine::AgentLogin login{.file = "~/.agent/auth.json",
                                 .fields = {"token", "*.key", "*.type"},
                                 .tokens = {"token", "*.key"},
                                 .renewed = {"*.expires"},
                                 .account = {"id", "*.type"}};
  const auto merged = engine::with_renewed(*theirs, *copy, login);
  if (!merged.ok()) return 0;
  CLEVER_CHECK(
      engine::login_secrets(*merged, login).size() >= engine::login_secrets(*theirs, login).size(),
      "a token is gone");
  const engine::AgentLogin account{.fields = login.account};
  CLEVER_CHECK(engine::login_part(*merged, account) == engine::login_part(*theirs, account),
               "another account");
  return 0;
}
