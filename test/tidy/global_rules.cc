// No mutable globals, no singletons; what runs is destroyed before what it uses.
#include <algorithm>
#include <map>

#include "tidy/match.h"
#include "tidy/rules.h"
#include "tidy/scopes.h"

namespace clever::tidy {
namespace {

constexpr std::string_view kGlobalCure =
    "make it const, or a member of an object that src/app builds and passes to those who need it";

const Names& not_variables() {
  static const Names kNames = {"using",         "typedef",  "class",   "struct",
                               "enum",          "union",    "friend",  "namespace",
                               "static_assert", "template", "concept", "return"};
  return kNames;
}

// Annotation macros look like calls: `int x CLEVER_GUARDED_BY(m)`.
std::vector<Token> without_annotations(const std::vector<Token>& tokens) {
  std::vector<Token> kept;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text.starts_with("CLEVER_")) {
      if (i + 1 < tokens.size() && tokens[i + 1].is("("))
        i = after_closing(tokens, i + 1, "(", ")") - 1;
    } else if (tokens[i].is("alignas")) {
      i = after_closing(tokens, i + 1, "(", ")") - 1;
    } else {
      kept.push_back(tokens[i]);
    }
  }
  return kept;
}

// Up to the initializer.
Tokens declarator_of(const std::vector<Token>& tokens) {
  const auto end = std::ranges::find_if(tokens, [](const Token& token) { return token.is("="); });
  return {tokens.begin(), end};
}

// The place after the last such token; 0 if there is none.
std::size_t after_last(Tokens tokens, std::string_view text) {
  for (std::size_t i = tokens.size(); i > 0; --i) {
    if (tokens[i - 1].is(text)) return i;
  }
  return 0;
}

bool is_const(Tokens tokens) {
  // A pointer to const is itself a variable.
  return contains(tokens, "constexpr") || after_last(tokens, "const") > after_last(tokens, "*");
}

bool is_variable(Tokens tokens) {
  const auto names = std::ranges::count_if(
      tokens, [](const Token& token) { return token.kind == TokenKind::kIdentifier; });
  if (names < 2 || not_variables().contains(tokens.front().text)) return false;
  if (contains(tokens, "operator") || contains(tokens, "concept")) return false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (not_variables().contains(tokens[i].text)) return false;
    // `void (*hook)(int)` is a variable, `void f(int)` is not.
    if (tokens[i].is("(")) return i + 1 < tokens.size() && tokens[i + 1].is("*");
  }
  return true;
}

class GlobalCheck {
 public:
  GlobalCheck(const File& file, Findings& findings) : file_(file), findings_(findings) {}

  void run() {
    for (const Declaration& declaration : declarations_of(file_.source.tokens)) {
      check_accessor(declaration);
      check_variable(declaration);
      check_member_order(declaration);
    }
  }

 private:
  void add(int line, std::string rule, std::string what, std::string_view cure) {
    findings_.push_back({file_.path, line, std::move(rule), std::move(what), std::string(cure)});
  }

  // A thread's own place in the base library: the current scheduler, the locks it holds.
  [[nodiscard]] bool is_base_thread_local(Tokens tokens) const {
    return file_.in("src/base") && contains(tokens, "thread_local");
  }

  void check_variable(const Declaration& declaration) {
    if (declaration.has_body || declaration.scope == Scope::kEnum) return;
    const std::vector<Token> tokens = without_annotations(declaration.tokens);
    const Tokens declarator = declarator_of(tokens);
    if (declarator.empty() || is_const(declarator) || is_base_thread_local(declarator)) return;
    const bool is_static = contains(declarator, "static");
    if (declaration.scope == Scope::kFunction) {
      // `static T x(arguments)` in a function is a variable.
      if (declarator.front().is("static")) report_variable(declarator, "static local variable");
    } else if (declaration.scope == Scope::kNamespace) {
      if (is_variable(declarator)) report_variable(declarator, "mutable global variable");
    } else if (is_static && is_variable(declarator)) {
      report_variable(declarator, "mutable static member");
    }
  }

  void report_variable(Tokens tokens, std::string_view what) {
    std::string name;
    for (const Token& token : tokens) {
      if (token.is("(") || token.is("[")) break;
      if (token.kind == TokenKind::kIdentifier) name = token.text;
    }
    add(tokens.front().line, "globals", std::string(what) + " '" + name + "'", kGlobalCure);
  }

  void check_accessor(const Declaration& declaration) {
    static const Names kAccessors = {"instance",        "get_instance",    "singleton",
                                     "shared_instance", "global_instance", "default_instance"};
    if (declaration.scope == Scope::kFunction || declaration.scope == Scope::kEnum) return;
    const Tokens tokens = declaration.tokens;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      if (!tokens[i + 1].is("(")) continue;
      const bool hands_out =
          tokens[i - 1].is("&") || tokens[i - 1].is("*") || tokens[i - 1].is(">");
      if (hands_out && kAccessors.contains(tokens[i].text)) {
        add(tokens[i].line, "globals", "global accessor '" + tokens[i].text + "()'",
            "build the object in src/app and pass it to those who need it");
      }
      break;
    }
  }

  void check_member_order(const Declaration& declaration) {
    if (declaration.scope != Scope::kClass || declaration.has_body || !file_.in("src")) return;
    const std::vector<Token> tokens = without_annotations(declaration.tokens);
    const Tokens declarator = declarator_of(tokens);
    if (declarator.empty() || !is_variable(declarator) || contains(declarator, "static")) return;
    const bool joins = is_joining(declarator);
    const auto runner = runners_.find(declaration.class_id);
    if (joins) {
      runners_.insert_or_assign(declaration.class_id, declarator.back().text);
    } else if (runner != runners_.end()) {
      add(declarator.front().line, "orphan-work",
          "member '" + declarator.back().text + "' is declared after '" + runner->second +
              "', which still runs while it is destroyed",
          "declare the Thread or TaskGroup last in its class");
    }
  }

  static bool is_joining(Tokens tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const bool runs = tokens[i].is("Thread") || tokens[i].is("TaskGroup");
      if (runs && !tokens[i + 1].is("&") && !tokens[i + 1].is("*") && !tokens[i + 1].is("::")) {
        return true;
      }
    }
    return false;
  }

  const File& file_;
  Findings& findings_;
  std::map<int, std::string> runners_;
};

}  // namespace

void check_globals(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (!file.is_cpp() || file.is_test()) continue;
    if (file.in("src") || file.in("examples")) GlobalCheck(file, findings).run();
  }
}

}  // namespace clever::tidy
