#pragma once
// What bench/engine tells its program, and how that answers.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::bench {

/// MODE --name value …
class Arguments {
 public:
  Arguments(int count, char** values) {
    if (count > 1) mode_ = values[1];
    for (int i = 2; i + 1 < count; i += 2) values_[values[i]] = values[i + 1];
  }

  [[nodiscard]] const std::string& mode() const { return mode_; }
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise = "") const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }
  [[nodiscard]] int number(const std::string& name, int otherwise) const {
    const std::string written = text(name);
    int value = otherwise;
    std::from_chars(written.data(), written.data() + written.size(), value);
    return value;
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return text(name); }

 private:
  std::string mode_;
  std::map<std::string, std::string> values_;
};

/// The value, or the end of the program with what went wrong.
template <class T>
T need(base::Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "engine_bench: %s\n", result.error().sentence().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

}  // namespace clever::bench
