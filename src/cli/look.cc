#include "cli/look.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace clever::cli {

bool writes_utf8(const io::Environment& environment) {
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = environment.value(name).value_or("");
    if (locale.empty()) continue;
    std::ranges::transform(locale, locale.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

bool wants_color(std::string_view choice, bool is_terminal, const io::Environment& environment) {
  if (choice == "always") return true;
  if (choice == "never" || !is_terminal) return false;
  return environment.value("NO_COLOR").value_or("").empty() &&
         environment.value("TERM").value_or("") != "dumb";
}

}  // namespace clever::cli
