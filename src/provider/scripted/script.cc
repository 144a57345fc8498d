#include "provider/scripted/script.h"

#include "io/file.h"
#include "model/yaml.h"
#include "provider/scripted/internal/script_reader.h"

namespace clever::provider {

base::Result<Script> Script::parse(std::string_view text, std::string file) {
  if (text.size() > kMostBytes) {
    return base::invalid_argument(file + ": a script has at most " +
                                  std::to_string(kMostBytes >> 20U) + " MiB");
  }
  CLEVER_ASSIGN(const model::YamlValue document, model::read_yaml(text, file));
  return internal::read_script(document, std::move(file));
}

base::Result<Script> Script::load(const std::filesystem::path& path) {
  CLEVER_ASSIGN(const std::string text,
                io::read_file(path, kMostBytes).context("reading the script"));
  return parse(text, path.string());
}

}  // namespace clever::provider
