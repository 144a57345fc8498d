// Suppressions, headers, ownership, and text that must not be in the repository.
#include <algorithm>
#include <array>

#include "tidy/match.h"
#include "tidy/rules.h"

namespace clever::tidy {
namespace {

// Spelled in two parts, so that this file passes its own rule.
constexpr std::string_view kNoLint =
    "NO"
    "LINT";

bool is_suppression(const Token& token) {
  static const Names kNames = {"CLEVER_NO_THREAD_SAFETY_ANALYSIS",
                               "no_thread_safety_analysis",
                               "no_sanitize",
                               "no_sanitize_thread",
                               "no_sanitize_address",
                               "__lsan_disable",
                               "__lsan_ignore_object"};
  return kNames.contains(token.text);
}

void report_suppression(const File& file, int line, std::string_view what, Findings& findings) {
  const bool base = file.in("src/base");
  findings.push_back({file.path, line, "suppression",
                      std::string(what) + (base ? " without a reason" : " outside src/base"),
                      base ? "say in a comment on the line, or above it, why it cannot be avoided"
                           : "change the code so that the check passes"});
}

// The reason is what the comment says beside the mark itself.
bool has_reason(const File& file, int line) {
  if (!file.in("src/base")) return false;
  std::string comment = file.source.comment_for(line);
  if (const std::size_t mark = comment.find(kNoLint); mark != std::string::npos) {
    const std::size_t end = comment.find_first_of(" )", mark);
    comment.erase(mark, end == std::string::npos ? std::string::npos : end + 1 - mark);
  }
  return std::ranges::count(comment, ' ') >= 2;
}

bool is_ignored_diagnostic(Tokens tokens, std::size_t at) {
  return matches(tokens, at, {"diagnostic", "ignored"});
}

void check_suppressed_code(const File& file, Findings& findings) {
  const Tokens tokens = file.source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool definition = file.path == "src/base/thread_annotations.h" && tokens[i].in_directive;
    if (definition || has_reason(file, tokens[i].line)) continue;
    if (is_suppression(tokens[i]))
      report_suppression(file, tokens[i].line, tokens[i].text, findings);
    if (is_ignored_diagnostic(tokens, i)) {
      report_suppression(file, tokens[i].line, "a warning switched off", findings);
    }
  }
  for (const auto& [line, comment] : file.source.comments) {
    if (comment.find(kNoLint) != std::string::npos && !has_reason(file, line)) {
      report_suppression(file, line, kNoLint, findings);
    }
  }
}

bool is_system_header(std::string_view target) {
  static const Names kHeaders = {"errno.h", "fcntl.h",  "poll.h",   "signal.h", "spawn.h",
                                 "stdio.h", "stdlib.h", "string.h", "unistd.h"};
  return target.starts_with("sys/") || target.starts_with("linux/") || kHeaders.contains(target);
}

// The standard library's headers have neither folder nor ending. json_fwd declares one name.
bool is_third_party(const Include& include) {
  return !include.quoted && include.target.find_first_of("/.") != std::string::npos &&
         include.target != "nlohmann/json_fwd.hpp" && !is_system_header(include.target);
}

bool has_pragma_once(const File& file) {
  const Tokens tokens = file.source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (matches(tokens, i, {"pragma", "once"})) return true;
  }
  return false;
}

void check_header(const File& file, Findings& findings) {
  if (!has_pragma_once(file)) {
    findings.push_back(
        {file.path, 1, "pragma-once", "a header without #pragma once", "make it the first line"});
  }
  const Tokens tokens = file.source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!matches(tokens, i, {"using", "namespace"})) continue;
    findings.push_back({file.path, tokens[i].line, "using-namespace", "using namespace in a header",
                        "name what is used: using a::b;"});
  }
  if (!file.is_public_header()) return;
  for (const Include& include : file.source.includes) {
    if (!is_third_party(include)) continue;
    findings.push_back({file.path, include.line, "third-party",
                        "<" + include.target + "> in a public header",
                        "include it in the .cc or in internal/, and hide its types behind ours"});
  }
}

bool is_owned(Tokens tokens, std::size_t at) {
  // std::unique_ptr<T>(new T), p.reset(new T): for constructors that make_unique cannot reach.
  if (at < 2 || !tokens[at - 1].is("(")) return false;
  for (std::size_t after = at - 1; after > 0; --after) {
    const std::size_t i = after - 1;
    if (tokens[i].is(";") || tokens[i].is("{")) return false;
    if (tokens[i].is("unique_ptr") || tokens[i].is("shared_ptr") || tokens[i].is("reset"))
      return true;
  }
  return false;
}

void check_raw_ownership(const File& file, Findings& findings) {
  const Tokens tokens = file.source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool first = i == 0;
    const bool of_operator = !first && tokens[i - 1].is("operator");
    const bool placement = i + 1 < tokens.size() && tokens[i + 1].is("(");
    const bool raw_new = tokens[i].is("new") && !of_operator && !placement && !is_owned(tokens, i);
    const bool raw_delete =
        tokens[i].is("delete") && !of_operator && (first || !tokens[i - 1].is("="));
    if (tokens[i].in_directive || (!raw_new && !raw_delete)) continue;
    findings.push_back({file.path, tokens[i].line, "ownership", "raw " + tokens[i].text,
                        "std::make_unique or std::make_shared; an owner is never a raw pointer"});
  }
}

void check_unfinished(const File& file, Findings& findings) {
  static constexpr std::array<std::string_view, 4> kMarks = {
      "TO"
      "DO",
      "FIX"
      "ME",
      "XX"
      "X",
      "HA"
      "CK"};
  for (const auto& [line, comment] : file.source.comments) {
    for (const std::string_view mark : kMarks) {
      if (comment.find(mark) == std::string::npos) continue;
      findings.push_back({file.path, line, "unfinished", std::string(mark) + " in a comment",
                          "finish it, or open an issue and leave the code whole"});
    }
  }
  for (const Token& token : file.source.tokens) {
    if (token.is("GTEST_"
                 "SKIP") ||
        token.text.starts_with("DISABLED_")) {
      findings.push_back({file.path, token.line, "skipped-test", "a test that does not run",
                          "make it pass, or remove it with what it tests"});
    }
  }
}

bool is_placeholder(std::string_view path) {
  return path.starts_with(
             "/ho"
             "me/me/") ||
         path.starts_with(
             "/ho"
             "me/user/");
}

// Folders of somebody's machine; examples for users use ~, or "me" and "user" for a name.
void check_machine_paths(const File& file, Findings& findings) {
  static constexpr std::array kFolders =
      std::to_array<std::string_view>({"/ho"
                                       "me/",
                                       "/ro"
                                       "ot/",
                                       "/Us"
                                       "ers/"});
  int line = 1;
  std::size_t begin = 0;
  while (begin < file.text.size()) {
    const std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
    const std::string_view text = std::string_view(file.text).substr(begin, end - begin);
    for (const std::string_view folder : kFolders) {
      const std::size_t at = text.find(folder);
      // "src/home/x" and "$root/home/" are relative to something.
      const bool absolute = at != std::string_view::npos &&
                            (at == 0 || std::string_view(" \t\"'`(=:<>").contains(text[at - 1]));
      if (!absolute || is_placeholder(text.substr(at))) continue;
      findings.push_back({file.path, line, "machine-path",
                          std::string(folder) + " is a folder of somebody's machine",
                          "find it at run time, or use a temporary folder"});
    }
    begin = end + 1;
    ++line;
  }
}

bool is_text(const File& file) {
  static const Names kEndings = {".cc", ".h",    ".cmake", ".txt", ".md",
                                 ".sh", ".json", ".toml",  ".awk"};
  const std::size_t dot = file.path.rfind('.');
  return dot == std::string::npos || kEndings.contains(file.path.substr(dot));
}

}  // namespace

void check_suppressions(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (file.is_cpp()) check_suppressed_code(file, findings);
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    if (name.ends_with(".supp") || name.find("suppressions") != std::string::npos) {
      report_suppression(file, 1, "a sanitizer suppression file", findings);
    }
  }
}

void check_headers(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (file.is_header()) check_header(file, findings);
  }
}

void check_ownership(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (file.is_cpp() && file.in("src") && !file.in("src/base") && !file.is_test()) {
      check_raw_ownership(file, findings);
    }
  }
}

void check_text(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (file.is_cpp()) check_unfinished(file, findings);
    if (is_text(file) && !file.path.ends_with("_test.cc")) check_machine_paths(file, findings);
  }
}

}  // namespace clever::tidy
