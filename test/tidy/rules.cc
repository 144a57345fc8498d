#include "tidy/rules.h"

#include <algorithm>
#include <tuple>

namespace clever::tidy {

std::string Finding::to_string() const {
  return path + ":" + std::to_string(line) + ": [" + rule + "] " + what + ". Cure: " + cure;
}

Findings check(const Tree& tree) {
  Findings findings;
  for (const auto rule :
       {check_layers, check_include_cycles, check_purity, check_shared_state, check_globals,
        check_suppressions, check_headers, check_ownership, check_text, check_redaction,
        check_unit_names, check_documents, check_plain_english}) {
    rule(tree, findings);
  }
  std::ranges::sort(findings, {}, [](const Finding& finding) {
    return std::tie(finding.path, finding.line, finding.rule, finding.what);
  });
  return findings;
}

}  // namespace clever::tidy
