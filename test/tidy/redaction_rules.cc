// What models and tools work on passes byte for byte: only what shows and logs guesses at secrets.
#include "tidy/match.h"
#include "tidy/rules.h"

namespace clever::tidy {
namespace {

// Modules that show or log; the others carry what is worked on.
const Names& showing_modules() {
  static const Names kModules = {"base",    "config", "storage", "provider",
                                 "service", "server", "cli",     "app"};
  return kModules;
}

bool guesses(Tokens tokens, std::size_t at) {
  return tokens[at].is("Redactor") || matches(tokens, at, {"base", "::", "redact"});
}

}  // namespace

void check_redaction(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    const std::string module = file.module();
    if (module.empty() || file.is_test() || showing_modules().contains(module)) continue;
    const auto add = [&](int line, const std::string& what) {
      findings.push_back({file.path, line, "redaction", what + " where text is worked on",
                          "withhold exact values with base/secrets.h; redaction by shape changes "
                          "source code, and is for modules that show or log"});
    };
    for (const Include& include : file.source.includes) {
      if (include.target == "base/redact.h") add(include.line, "base/redact.h");
    }
    const Tokens tokens = file.source.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (guesses(tokens, i))
        add(tokens[i].line, tokens[i].text == "base" ? "redact()" : "Redactor");
    }
  }
}

}  // namespace clever::tidy
