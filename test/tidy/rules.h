#pragma once
// The rules that keep the promise of this project, as functions over a Tree.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidy/tree.h"

namespace clever::tidy {

/// A broken rule: where, which, what, and what to do instead.
struct Finding {
  std::string path;
  int line;
  std::string rule;
  std::string what;
  std::string cure;

  /// "src/x/y.cc:12: [locks] std::mutex outside src/base. Cure: …"
  [[nodiscard]] std::string to_string() const;
};

using Findings = std::vector<Finding>;

void check_layers(const Tree& tree, Findings& findings);
void check_include_cycles(const Tree& tree, Findings& findings);
void check_purity(const Tree& tree, Findings& findings);
void check_shared_state(const Tree& tree, Findings& findings);
void check_globals(const Tree& tree, Findings& findings);
void check_suppressions(const Tree& tree, Findings& findings);
void check_headers(const Tree& tree, Findings& findings);
void check_ownership(const Tree& tree, Findings& findings);
void check_text(const Tree& tree, Findings& findings);
void check_redaction(const Tree& tree, Findings& findings);
void check_unit_names(const Tree& tree, Findings& findings);
void check_documents(const Tree& tree, Findings& findings);

/// Words that are not written any more, in any case; what to write instead; how many uses of them
/// are left in the whole tree.
struct Phrase {
  std::string_view text;
  std::string_view cure;
  std::size_t ceiling;
};
/// Reports each phrase that is used more often than its ceiling says: every use if the ceiling is
/// 0, otherwise the first.
void check_phrases(const Tree& tree, std::span<const Phrase> phrases, Findings& findings);
/// check_phrases with the list of this code base.
void check_plain_english(const Tree& tree, Findings& findings);

/// All rules, sorted by place.
[[nodiscard]] Findings check(const Tree& tree);

}  // namespace clever::tidy
