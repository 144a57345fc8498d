// A model server as a program, for other people's clients and for benchmarks:
//   model_server --script FILE [--requests N] [--tokens N] [--window-ms N] [--key KEY] [--loose
//   yes]
// Prints its address, and serves until its standard input ends.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "support/model_server.h"

namespace {

using clever::test::ModelServer;
using clever::test::ModelServerOptions;

struct Arguments {
  std::string script;
  ModelServerOptions options;
};

bool read_number(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

bool read_argument(std::string_view name, std::string_view value, Arguments& arguments) {
  std::int64_t number = 0;
  if (name == "--script") {
    arguments.script = value;
  } else if (name == "--key") {
    arguments.options.key = value;
  } else if (name == "--loose") {
    arguments.options.loose = value == "yes";
  } else if (name == "--requests" && read_number(value, number)) {
    arguments.options.limits.requests = number;
  } else if (name == "--tokens" && read_number(value, number)) {
    arguments.options.limits.tokens = number;
  } else if (name == "--window-ms" && read_number(value, number)) {
    arguments.options.limits.window = std::chrono::milliseconds(number);
  } else {
    return false;
  }
  return true;
}

int usage() {
  std::cerr << "model_server --script FILE [--requests N] [--tokens N] [--window-ms N] [--key KEY] "
               "[--loose yes]\n";
  return 2;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i + 1 < count; i += 2) {
    if (!read_argument(values[i], values[i + 1], arguments)) return usage();
  }
  if (arguments.script.empty() || count % 2 == 0) return usage();
  auto script = clever::provider::Script::load(arguments.script);
  if (!script.ok()) {
    std::cerr << script.error().sentence() << "\n";
    return 1;
  }
  arguments.options.http.keep_requests = false;
  clever::test::allow_many_connections();
  const ModelServer server(std::move(script).value(), arguments.options);
  std::cout << server.url() << std::endl;
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
  return 0;
}
