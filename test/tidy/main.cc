// clever_tidy ROOT: prints each broken rule of the code base with its place and its cure. Exit
// status 0 if there is none, 1 if there is one, 2 if ROOT is no checkout.
#include <iostream>
#include <span>

#include "tidy/rules.h"

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 2) {
    std::cerr << "usage: clever_tidy ROOT\n";
    return 2;
  }
  const auto tree = clever::tidy::load_tree(arguments[1]);
  if (!tree) {
    std::cerr << "clever_tidy: " << arguments[1] << " has no src/ folder\n";
    return 2;
  }
  const auto findings = clever::tidy::check(*tree);
  for (const auto& finding : findings) std::cout << finding.to_string() << '\n';
  std::cout << tree->files.size() << " files, " << findings.size() << " broken rules\n";
  return findings.empty() ? 0 : 1;
}
