// src/plan decides and folds: no threads, clock, randomness, files, network or logging.
#include <algorithm>

#include "tidy/match.h"
#include "tidy/rules.h"

namespace clever::tidy {
namespace {

constexpr std::string_view kPurityCure =
    "take what is needed as an argument of decide() or evolve(); effects belong to src/engine";

const Names& impure_headers() {
  static const Names kNames = {"atomic",     "barrier",    "condition_variable",
                               "csignal",    "cstdio",     "ctime",
                               "fstream",    "filesystem", "future",
                               "iostream",   "latch",      "mutex",
                               "random",     "semaphore",  "shared_mutex",
                               "stop_token", "thread"};
  return kNames;
}

// Values and errors. The rest of base is threads, time, chance or the log.
const Names& pure_base_headers() {
  static const Names kNames = {"base/base64.h",  "base/check.h",  "base/error.h",  "base/glob.h",
                               "base/nearest.h", "base/number.h", "base/result.h", "base/sha256.h",
                               "base/ulid.h",    "base/utf8.h"};
  return kNames;
}

const Names& impure_names() {
  static const Names kNames = {
      "Clock",         "Random",       "steady_clock",  "system_clock", "high_resolution_clock",
      "random_device", "mt19937",      "mt19937_64",    "ifstream",     "ofstream",
      "fstream",       "this_thread",  "getenv",        "cout",         "cerr",
      "spdlog",        "thread_local", "generate_ulid", "UlidGenerator"};
  return kNames;
}

const Names& impure_functions() {
  static const Names kNames = {"time",   "clock",        "rand",   "srand",        "random",
                               "socket", "open",         "fopen",  "printf",       "system",
                               "fork",   "gettimeofday", "getpid", "clock_gettime"};
  return kNames;
}

// Values as well, but for sources and private headers only.
constexpr std::string_view kJson = "nlohmann/json.hpp";

bool is_impure(const File& file, const Include& include) {
  if (include.quoted) {
    return include.target.starts_with("base/") && !pure_base_headers().contains(include.target);
  }
  if (include.target == kJson && !file.is_public_header()) return false;
  // Headers with a folder or an ending are the system's or a library's.
  return include.target.find_first_of("/.") != std::string::npos ||
         impure_headers().contains(include.target);
}

void check_tokens(const File& file, Findings& findings) {
  const Tokens tokens = file.source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
    const bool call = !member && i + 1 < tokens.size() && tokens[i + 1].is("(") &&
                      impure_functions().contains(tokens[i].text);
    if (call || impure_names().contains(tokens[i].text)) {
      findings.push_back({file.path, tokens[i].line, "plan-pure",
                          tokens[i].text + " in src/plan, which is pure",
                          std::string(kPurityCure)});
    }
  }
}

}  // namespace

void check_purity(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (!file.in("src/plan") || !file.is_cpp() || file.is_test()) continue;
    for (const Include& include : file.source.includes) {
      if (!is_impure(file, include)) continue;
      findings.push_back({file.path, include.line, "plan-pure",
                          include.target + " in src/plan, which is pure",
                          std::string(kPurityCure)});
    }
    check_tokens(file, findings);
  }
}

}  // namespace clever::tidy
