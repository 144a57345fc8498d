#include "git/path_patterns.h"

#include "git/ignore_file.h"

namespace clever::git {

PathPatterns::PathPatterns(const std::vector<std::string>& patterns) {
  std::string text;
  for (const std::string& pattern : patterns) text += pattern + "\n";
  if (!text.empty()) rules_ = std::make_shared<const IgnoreFile>(text);
}

bool PathPatterns::match(std::string_view file) const {
  if (rules_ == nullptr) return false;
  for (std::size_t slash = file.find('/'); slash != std::string_view::npos;
       slash = file.find('/', slash + 1)) {
    if (rules_->decides(file.substr(0, slash), true).value_or(false)) return true;
  }
  return rules_->decides(file, false).value_or(false);
}

}  // namespace clever::git
