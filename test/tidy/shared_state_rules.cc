// Shared state lives in Guarded and Monitor; threads and waiting are src/base's alone.
#include <algorithm>

#include "tidy/match.h"
#include "tidy/rules.h"

namespace clever::tidy {
namespace {

constexpr std::string_view kLockCure =
    "put the state into base::Guarded<T> or base::Monitor<T>, work into base::ThreadPool or a "
    "Strand";
constexpr std::string_view kWaitCure =
    "wait in base::Monitor<T>::update_when with a stop token and a deadline";

const Names& lock_names() {
  static const Names kNames = {"async",
                               "binary_semaphore",
                               "call_once",
                               "condition_variable",
                               "condition_variable_any",
                               "counting_semaphore",
                               "future",
                               "jthread",
                               "lock_guard",
                               "mutex",
                               "once_flag",
                               "packaged_task",
                               "promise",
                               "recursive_mutex",
                               "recursive_timed_mutex",
                               "scoped_lock",
                               "shared_future",
                               "shared_lock",
                               "shared_mutex",
                               "shared_timed_mutex",
                               "stop_callback",
                               "stop_source",
                               "stop_token",
                               "thread",
                               "timed_mutex",
                               "unique_lock"};
  return kNames;
}

// A starting line for threads, and giving way: a test may, the product waits in a Monitor.
const Names& waiting_names() {
  static const Names kNames = {"barrier", "latch", "this_thread"};
  return kNames;
}

const Names& lock_headers() {
  static const Names kNames = {
      "barrier",   "condition_variable", "future",     "latch",  "mutex",    "pthread.h",
      "semaphore", "shared_mutex",       "stop_token", "thread", "threads.h"};
  return kNames;
}

const Names& sleep_functions() {
  static const Names kNames = {"sleep_for", "sleep_until", "sleep", "usleep", "nanosleep"};
  return kNames;
}

// The base library and the explorer are made of these; benchmarks measure against them.
bool may_use_threads(const File& file) {
  return file.in("src/base") || file.in("test/explore") || file.in("bench");
}

bool is_member_access(Tokens tokens, std::size_t at) {
  return at > 0 && (tokens[at - 1].is(".") || tokens[at - 1].is("->"));
}

class ThreadCheck {
 public:
  ThreadCheck(const File& file, Findings& findings) : file_(file), findings_(findings) {}

  void run() {
    for (const Include& include : file_.source.includes) {
      if (!include.quoted && !file_.is_test() && lock_headers().contains(include.target)) {
        add(include.line, "<" + include.target + ">", kLockCure);
      }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) check_at(i);
  }

 private:
  void add(int line, const std::string& name, std::string_view cure) {
    findings_.push_back({file_.path, line, "locks", name + " outside src/base", std::string(cure)});
  }

  void check_at(std::size_t i) {
    const Token& token = tokens_[i];
    const bool call = i + 1 < tokens_.size() && tokens_[i + 1].is("(");
    if (token.is("std") && i + 2 < tokens_.size() && tokens_[i + 1].is("::")) {
      const std::string& name = tokens_[i + 2].text;
      if (lock_names().contains(name)) add(token.line, "std::" + name, kLockCure);
      if (!file_.is_test() && waiting_names().contains(name)) {
        add(token.line, "std::" + name, kWaitCure);
      }
    } else if (token.is("thread_local")) {
      add(token.line, "thread_local", "pass the value, or keep it in the object that needs it");
    } else if (token.text.starts_with("pthread_") && !token.is("pthread_sigmask")) {
      add(token.line, token.text, kLockCure);
    } else if (token.is("detach") && call && is_member_access(tokens_, i)) {
      add(token.line, "detach()", "keep the work in a base::TaskGroup, which stops and joins it");
    } else if (sleep_functions().contains(token.text) && call && !is_member_access(tokens_, i)) {
      add(token.line, token.text + "()", kWaitCure);
    }
  }

  const File& file_;
  Tokens tokens_ = file_.source.tokens;
  Findings& findings_;
};

// A reference or pointer to an atomic is not the atomic: its comment is where it is declared.
bool declares_atomic(Tokens tokens, std::size_t at) {
  const Token& token = tokens[at];
  if (token.is("atomic_flag")) return true;
  if ((!token.is("atomic") && !token.is("Atomic") && !token.is("atomic_ref")) ||
      at + 1 >= tokens.size() || !tokens[at + 1].is("<")) {
    return false;
  }
  const std::size_t after = after_closing(tokens, at + 1, "<", ">");
  return after < tokens.size() && tokens[after].kind == TokenKind::kIdentifier;
}

void check_atomics(const File& file, Findings& findings) {
  const Tokens tokens = file.source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].in_directive || !declares_atomic(tokens, i)) continue;
    const std::string comment = file.source.comment_for(tokens[i].line);
    if (std::ranges::count(comment, ' ') >= 2) continue;
    findings.push_back({file.path, tokens[i].line, "atomic-comment",
                        "an atomic without a comment that names what it publishes",
                        "say on the line, or directly above it, which writes a reader of this "
                        "value may rely on; or use base::Guarded<T>"});
  }
}

}  // namespace

void check_shared_state(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (!file.is_cpp() || may_use_threads(file)) continue;
    ThreadCheck(file, findings).run();
    if (!file.is_test()) check_atomics(file, findings);
  }
}

}  // namespace clever::tidy
