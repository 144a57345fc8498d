#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/actor/internal/definition_files.h"
#include "engine/actor/internal/yaml_fields.h"

namespace clever::engine::internal {

/// The built-in things and those of the folders, sorted by name after the built-in ones. `read`
/// makes one of a text and the name of its file; `thing` is "actor" or "action".
template <class T, class Read>
base::Result<std::vector<T>> load_catalog(std::vector<T> things,
                                          const std::vector<std::filesystem::path>& folders,
                                          std::string_view thing, const Read& read) {
  const auto builtin = static_cast<std::ptrdiff_t>(things.size());
  for (const std::filesystem::path& folder : folders) {
    const auto known = static_cast<std::ptrdiff_t>(things.size());
    CLEVER_ASSIGN(const std::vector<DefinitionFile> files, definition_files(folder));
    for (const DefinitionFile& file : files) {
      CLEVER_ASSIGN(T found, read(file.text, file.name));
      const auto same = std::ranges::find(things, found.name, &T::name);
      if (same == things.end()) {
        things.push_back(std::move(found));
      } else if (same - things.begin() >= builtin && same - things.begin() < known) {
        *same = std::move(found);
      } else {
        return base::invalid_argument(
            file.name + ": the " + std::string(thing) + " " + found.name +
            (same->place.empty() ? " is built in" : " is in " + same->place + " already") +
            "; choose another name");
      }
    }
  }
  std::ranges::sort(things.begin() + builtin, things.end(), {}, &T::name);
  return things;
}

template <class T>
base::Result<T> find_in_catalog(const std::vector<T>& things, std::string_view thing,
                                std::string_view name) {
  const std::string wanted = name.contains('/') ? std::string(name) : "local/" + std::string(name);
  const auto found = std::ranges::find(things, wanted, &T::name);
  if (found != things.end()) return *found;
  // A mistake in a short name is not hidden by the common "local/".
  constexpr std::string_view kOwn = "local/";
  std::vector<std::string> names;
  std::vector<std::string> short_names;
  for (const T& known : things) {
    names.push_back(known.name);
    short_names.push_back(known.name.substr(known.name.starts_with(kOwn) ? kOwn.size() : 0));
  }
  constexpr std::size_t kShown = 80;
  std::string message = "there is no " + std::string(thing) + " \"" +
                        std::string(base::utf8_prefix(base::to_valid_utf8(name), kShown)) + "\"";
  const std::string typed = wanted.substr(wanted.starts_with(kOwn) ? kOwn.size() : 0);
  if (const auto nearest = base::nearest_match(typed, short_names)) {
    const auto place = std::ranges::find(short_names, *nearest) - short_names.begin();
    return base::not_found(message + "; did you mean " + names[static_cast<std::size_t>(place)] +
                           "?");
  }
  return base::not_found(message + "; there are " + base::joined(names));
}

}  // namespace clever::engine::internal
