#include "tidy/scopes.h"

namespace clever::tidy {
namespace {

bool is_class_key(const Token& token) {
  return token.is("class") || token.is("struct") || token.is("union");
}

class Splitter {
 public:
  explicit Splitter(Tokens tokens) : tokens_(tokens) {}

  std::vector<Declaration> run() {
    while (at_ < tokens_.size()) step();
    return std::move(declarations_);
  }

 private:
  void step() {
    const Token& token = tokens_[at_];
    if (token.in_directive) {
      ++at_;
    } else if (token.is("template") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].is("<")) {
      at_ = after_closing(tokens_, at_ + 1, "<", ">");
    } else if (matches(tokens_, at_, {"[", "["})) {
      at_ = after_closing(tokens_, at_, "[", "]");
    } else if (token.is("(")) {
      copy_group("(", ")");
    } else if (token.is("{")) {
      open();
    } else if (token.is("}")) {
      close();
    } else if (token.is(";")) {
      finish(false);
      ++at_;
    } else if (is_access_label()) {
      at_ += 2;
    } else {
      current_.push_back(token);
      ++at_;
    }
  }

  [[nodiscard]] bool is_access_label() const {
    return scope() == Scope::kClass && at_ + 1 < tokens_.size() && tokens_[at_ + 1].is(":") &&
           (tokens_[at_].is("public") || tokens_[at_].is("private") ||
            tokens_[at_].is("protected"));
  }

  // Parentheses may hold lambdas with bodies of their own: in a function those are read, elsewhere
  // they are part of an initializer.
  void copy_group(std::string_view open, std::string_view close) {
    if (scope() == Scope::kFunction) {
      current_.push_back(tokens_[at_++]);
      return;
    }
    const std::size_t end = after_closing(tokens_, at_, open, close);
    current_.insert(current_.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(at_),
                    tokens_.begin() + static_cast<std::ptrdiff_t>(end));
    at_ = end;
  }

  [[nodiscard]] Scope scope() const {
    return scopes_.empty() ? Scope::kNamespace : scopes_.back().scope;
  }

  void finish(bool has_body) {
    if (!current_.empty()) {
      Declaration made{scope(), scopes_.empty() ? 0 : scopes_.back().class_id, std::move(current_),
                       has_body};
      for (const Level& level : scopes_) made.enclosing += level.name;
      made.unnamed = !scopes_.empty() && scopes_.back().name.empty();
      declarations_.push_back(std::move(made));
    }
    current_.clear();
  }

  void open() {
    if (scope() != Scope::kFunction && is_initializer()) {
      at_ = after_closing(tokens_, at_, "{", "}");
      return;
    }
    const Scope inner = opened_scope();
    std::string name;
    if (inner == Scope::kNamespace) {
      for (const Token& token : current_) {
        if (!token.is("namespace") && !token.is("inline")) name += token.text;
      }
    }
    finish(true);
    scopes_.push_back({inner, inner == Scope::kClass ? ++classes_ : 0, std::move(name)});
    ++at_;
  }

  void close() {
    finish(false);
    if (!scopes_.empty()) scopes_.pop_back();
    ++at_;
  }

  [[nodiscard]] Scope opened_scope() const {
    for (const Token& token : current_) {
      if (token.is("namespace")) return Scope::kNamespace;
      if (token.is("enum")) return Scope::kEnum;
      if (is_class_key(token)) return Scope::kClass;
      if (token.is("(")) break;
    }
    const bool linkage =
        current_.size() == 2 && current_[0].is("extern") && current_[1].kind == TokenKind::kLiteral;
    return linkage ? Scope::kNamespace : Scope::kFunction;
  }

  // `int x{1}`, `auto f = [] {…}`, `concept C = requires {…}` and member initializers `: a_{1}`.
  [[nodiscard]] bool is_initializer() const {
    if (current_.empty() || opened_scope() != Scope::kFunction) return false;
    if (contains(current_, "operator")) return false;
    int depth = 0;
    bool parameters = false;
    bool initializers = false;
    for (const Token& token : current_) {
      if (token.is("(")) ++depth;
      if (token.is(")")) {
        --depth;
        parameters = true;
      }
      if (depth == 0 && token.is("=")) return true;
      if (depth == 0 && token.is(":") && parameters) initializers = true;
    }
    if (!parameters) return true;
    const Token& last = current_.back();
    return initializers && (last.kind == TokenKind::kIdentifier || last.is(">"));
  }

  struct Level {
    Scope scope;
    int class_id;
    std::string name;  // of a namespace
  };

  Tokens tokens_;
  std::size_t at_ = 0;
  int classes_ = 0;
  std::vector<Level> scopes_;
  std::vector<Token> current_;
  std::vector<Declaration> declarations_;
};

}  // namespace

std::vector<Declaration> declarations_of(Tokens tokens) { return Splitter(tokens).run(); }

}  // namespace clever::tidy
