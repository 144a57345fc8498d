// Whatever a client sends becomes a call of the route's operation or a mistake, and never a word
// that stands for a file.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "server/bind.h"

namespace {

using namespace clever;

// A tree in which every option of every route exists.
service::Command tree() {
  service::Command root{.name = "agents", .summary = "x"};
  for (const server::Route& route : server::routes()) {
    if (route.operation.empty()) continue;
    service::Command* at = &root;
    std::string_view name = route.operation;
    while (!name.empty()) {
      const std::string_view word = name.substr(0, name.find(' '));
      name.remove_prefix(std::min(name.size(), word.size() + 1));
      if (service::find_subcommand(*at, word) == nullptr)
        at->subcommands.push_back({.name = word, .summary = "x"});
      for (service::Command& each : at->subcommands) {
        if (each.name == word) at = &each;
      }
    }
    for (const server::Field& field : route.fields) {
      at->options.push_back({.name = field.option.empty() ? field.name : field.option,
                             .value = "VALUE",
                             .summary = "x",
                             .repeated = field.kind == server::Field::Kind::kTexts});
    }
  }
  return root;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const service::Command root = tree();
  if (size == 0) return 0;
  const auto& routes = server::routes();
  const server::Route& route = routes[data[0] % routes.size()];
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  http::Request request{.method = std::string(route.method)};
  if (route.method == "GET") {
    const std::size_t equals = std::min(text.find('='), text.size());
    request.query.emplace_back(text.substr(0, equals),
                               equals < text.size() ? text.substr(equals + 1) : "");
  } else {
    request.body = text;
  }
  const auto bound = server::bind(route, {{"plan", "X"}}, request, root);
  if (!bound.ok()) {
    CLEVER_CHECK(!bound.error().message().empty(), "a mistake has no words");
    return 0;
  }
  for (const std::string& word : bound->invocation.words()) {
    CLEVER_CHECK(!word.starts_with('@') && word != "-", "a word stands for a file");
  }
  return 0;
}
