#include "provider/scripted/script.h"

#include "io/file.h"
#include "provider/scripted/internal/script_reader.h"
#include "provider/scripted/internal/yaml_tree.h"

namespace clever::provider {

base::Result<Script> Script::parse(std::string_view text, std::string file) {
  if (text.size() > kMostBytes) {
    return base::invalid_argument(file + ": a script has at most " +
                                  std::to_string(kMostBytes >> 20U) + " MiB");
  }
  CLEVER_ASSIGN(const internal::YamlNode document, internal::parse_yaml(text, file));
  return internal::read_script(document, std::move(file));
}

base::Result<Script> Script::load(const std::filesystem::path& path) {
  CLEVER_ASSIGN(const std::string text,
                io::read_file(path, kMostBytes).context("reading the script"));
  return parse(text, path.string());
}

// Backtracks to the last * at a mismatch: at most the product of both lengths.
bool matches_glob(std::string_view glob, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  std::size_t place = 0;
  while (place < text.size()) {
    if (at < glob.size() && glob[at] == '*') {
      star = at++;
      after_star = place;
    } else if (at < glob.size() && (glob[at] == '?' || glob[at] == text[place])) {
      ++at;
      ++place;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      place = ++after_star;
    } else {
      return false;
    }
  }
  while (at < glob.size() && glob[at] == '*') ++at;
  return at == glob.size();
}

}  // namespace clever::provider
