#include "confine/shell_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace clever::confine {
namespace {

constexpr std::array<std::string_view, 30> kWrappers{
    "sudo",   "doas",    "env",     "command", "builtin",    "exec",   "nohup",    "timeout",
    "nice",   "ionice",  "setsid",  "stdbuf",  "xargs",      "find",   "parallel", "watch",
    "strace", "ltrace",  "chroot",  "unshare", "nsenter",    "flock",  "script",   "ssh",
    "su",     "busybox", "runuser", "coproc",  "caffeinate", "chronic"};
constexpr std::array<std::string_view, 11> kKeywords{"if", "then", "else", "elif", "while", "until",
                                                     "do", "!",    "{",    "}",    "time"};
constexpr std::array<std::string_view, 14> kShells{"sh",  "bash",  "dash", "zsh",  "ksh",
                                                   "ash", "fish",  "mksh", "eval", "source",
                                                   ".",   "alias", "trap", "csh"};

// A person judges longer commands: looking for rules in them would take long.
constexpr std::size_t kMostCommands = 512;
constexpr std::size_t kMostWords = 256;

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Parses one text from beginning to end. Fails as a whole.
class Reader {
 public:
  Reader(std::string_view text, std::size_t depth, std::vector<ShellCommand>& into)
      : text_(text), depth_(depth), commands_(into) {}

  bool read() {
    if (depth_ == 0) return false;
    while (at_ < text_.size() && !failed_) step();
    end_command();
    return !failed_ && open_ == 0 && !expects_target_;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = text_[at_];
    if (is_blank(c)) {
      end_word();
      ++at_;
    } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
      separator(c);
    } else if (c == '(' || c == ')') {
      parenthesis(c);
    } else if (c == '<' || c == '>') {
      redirection(c);
    } else if (c == '#' && !in_word_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      word_part(c);
    }
  }

  void separator(char c) {
    // The redirection took "2>&1"; "&>" writes both outputs to a file.
    if (c == '&' && peek(1) == '>') {
      ++at_;
      return;
    }
    end_command();
    ++at_;
  }

  void parenthesis(char c) {
    // "name()" defines a function, and an array is not a command.
    if (c == '(' && in_word_) return fail();
    if (c == '(' && !words_.empty() && !is_keyword(words_.back().text)) return fail();
    if (c == ')' && open_ == 0) {
      // The end of a pattern of `case`.
      words_.clear();
      drop_word();
      ++at_;
      return;
    }
    end_command();
    open_ += c == '(' ? 1 : -1;
    ++at_;
  }

  void redirection(char c) {
    if (c == '<' && peek(1) == '<') return fail();  // a here document
    if (peek(1) == '(') return fail();              // a command as a file
    // The number of a descriptor belongs to the redirection.
    const bool is_number =
        in_word_ && !word_.unknown &&
        std::ranges::all_of(word_.text, [](char d) { return d >= '0' && d <= '9'; });
    if (is_number) {
      drop_word();
    } else {
      end_word();
    }
    ++at_;
    while (peek() == '>' || peek() == '|' || peek() == '&') ++at_;
    expects_target_ = true;
  }

  void word_part(char c) {
    in_word_ = true;
    switch (c) {
      case '\'':
        return single_quotes();
      case '"':
        return double_quotes();
      case '\\':
        return escape();
      case '$':
        return dollar();
      case '`':
        return back_quotes();
      case '*':
      case '?':
      case '[':
      case '~':
        word_.unknown = word_.unknown || c != '~' || word_.text.empty();
        break;
      case '{':
        // "{a,b}" is several words; "{" alone and "{}" are literal.
        word_.unknown = word_.unknown || (peek(1) != '}' && peek(1) != '\0' && !is_blank(peek(1)) &&
                                          peek(1) != '\n');
        break;
      default:
        break;
    }
    word_.text += c;
    ++at_;
  }

  void single_quotes() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return fail();
    word_.text += text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
  }

  void double_quotes() {
    for (++at_; at_ < text_.size() && !failed_;) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return;
      }
      if (c == '\\') {
        escape_in_quotes();
      } else if (c == '$') {
        dollar();
      } else if (c == '`') {
        back_quotes();
      } else {
        word_.text += c;
        ++at_;
      }
    }
    fail();
  }

  void escape_in_quotes() {
    const char next = peek(1);
    const bool special = next == '"' || next == '\\' || next == '$' || next == '`';
    if (next == '\0' && at_ + 1 >= text_.size()) return fail();
    if (!special && next != '\n') word_.text += '\\';
    if (next != '\n') word_.text += next;
    at_ += 2;
  }

  void escape() {
    if (at_ + 1 >= text_.size()) return fail();
    // A backslash continues the line.
    if (peek(1) != '\n') word_.text += peek(1);
    at_ += 2;
  }

  void dollar() {
    const char next = peek(1);
    if (next == '(') return substitution();
    if (next == '{') {
      const std::size_t end = text_.find('}', at_);
      if (end == std::string_view::npos) return fail();
      // The text may run a command.
      if (text_.substr(at_, end - at_).find_first_of("`(") != std::string_view::npos) return fail();
      word_.unknown = true;
      at_ = end + 1;
      return;
    }
    if (next == '\'' || next == '"') return fail();  // $'…' has escapes of its own
    const bool names = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                       next == '_' || (next >= '0' && next <= '9') || next == '@' || next == '*' ||
                       next == '?' || next == '#' || next == '!' || next == '-' || next == '$';
    word_.unknown = word_.unknown || names;
    word_.text += '$';
    ++at_;
  }

  // $( … ): its content is run, and its output is unknown.
  void substitution() {
    std::size_t end = at_ + 2;
    int open = 1;
    char quote = '\0';
    for (; end < text_.size() && open > 0; ++end) {
      const char c = text_[end];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
        if (c == '\\' && quote == '"') ++end;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '\\') {
        ++end;
      } else if (c == '(') {
        ++open;
      } else if (c == ')') {
        --open;
      }
    }
    if (open > 0 || quote != '\0') return fail();
    inner(text_.substr(at_ + 2, end - at_ - 3));
    at_ = end;
  }

  void back_quotes() {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == std::string_view::npos) return fail();
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find('\\') != std::string_view::npos) return fail();
    inner(inside);
    at_ = end + 1;
  }

  void inner(std::string_view text) {
    word_.unknown = true;
    if (!Reader(text, depth_ - 1, commands_).read()) fail();
  }

  void drop_word() {
    word_ = {};
    in_word_ = false;
  }

  void end_word() {
    if (!in_word_) return;
    if (!expects_target_) words_.push_back(std::move(word_));
    expects_target_ = false;
    drop_word();
  }

  void end_command() {
    end_word();
    if (expects_target_) fail();
    if (words_.empty()) return;
    if (commands_.size() >= kMostCommands || words_.size() > kMostWords) return fail();
    read_inside(words_);
    commands_.push_back(std::move(words_));
    words_.clear();
  }

  // A text that a shell among the words gets as argument is parsed the same way.
  void read_inside(const ShellCommand& words) {
    const std::vector<bool> places = program_places(words);
    bool shell = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const ShellWord& word = words[i];
      const bool is_text = word.text.find_first_of(" \t\n;|&") != std::string::npos;
      if (shell && is_text && !word.unknown && !Reader(word.text, depth_ - 1, commands_).read()) {
        fail();
      }
      shell = shell || (places[i] && !word.unknown && is_shell(program_name(word.text)));
    }
  }

  void fail() {
    failed_ = true;
    at_ = text_.size();
  }

  const std::string_view text_;
  const std::size_t depth_;
  std::vector<ShellCommand>& commands_;
  std::size_t at_ = 0;
  ShellCommand words_;
  ShellWord word_;
  bool in_word_ = false;
  bool expects_target_ = false;
  bool failed_ = false;
  int open_ = 0;
};

}  // namespace

std::optional<std::vector<ShellCommand>> shell_commands(std::string_view text, std::size_t depth) {
  std::vector<ShellCommand> commands;
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  if (!Reader(text, depth, commands).read()) return std::nullopt;
  return commands;
}

bool is_wrapper(std::string_view name) noexcept { return is_one_of(kWrappers, name); }

bool is_keyword(std::string_view name) noexcept { return is_one_of(kKeywords, name); }

std::vector<bool> program_places(const ShellCommand& words) {
  std::vector<bool> places(words.size());
  bool next = true;
  bool all = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    places[i] = next || all;
    if (!places[i]) continue;
    const ShellWord& word = words[i];
    const bool assigns = word.text.find('=') != std::string::npos && !word.text.starts_with('-');
    all = all || (!word.unknown && is_wrapper(program_name(word.text)));
    next = word.unknown || assigns || is_keyword(word.text);
  }
  return places;
}

bool is_shell(std::string_view name) noexcept { return is_one_of(kShells, name); }

std::string_view program_name(std::string_view word) noexcept {
  const std::size_t slash = word.rfind('/');
  return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

}  // namespace clever::confine
