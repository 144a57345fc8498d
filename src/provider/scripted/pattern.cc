#include "provider/scripted/pattern.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "provider/scripted/internal/pattern_program.h"

namespace clever::provider {
namespace {

using internal::PatternInstruction;
using internal::PatternOp;
using internal::PatternProgram;

constexpr std::size_t kNowhere = SIZE_MAX;

bool is_word(char byte) {
  return byte == '_' || std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

// Walks through the text once. `threads_` are the places in the program that are alive, in the
// order of their priority, each with its slots.
class Machine {
 public:
  Machine(const PatternProgram& program, std::string_view text)
      : program_(program), text_(text), seen_(program.code.size(), kNowhere) {}

  std::optional<std::vector<std::size_t>> run() {
    for (std::size_t place = 0; place <= text_.size(); ++place) {
      if (!found_) add(0, std::vector<std::size_t>(program_.slots(), kNowhere), place);
      if (threads_.empty() && found_) break;
      step(place);
    }
    return std::move(found_);
  }

 private:
  struct Alive {
    std::uint32_t at;
    std::vector<std::size_t> slots;
  };
  // A place to go to, or (at == program size) a slot to be set back.
  struct Pending {
    std::uint32_t at;
    std::size_t slot;
    std::size_t old;
  };

  void step(std::size_t place) {
    std::vector<Alive> now = std::exchange(threads_, {});
    for (Alive& alive : now) {
      const PatternInstruction& instruction = program_.code[alive.at];
      if (instruction.op == PatternOp::kMatch) {
        // Those behind it have lower priority.
        found_ = std::move(alive.slots);
        return;
      }
      if (place < text_.size() &&
          program_.sets[instruction.x].test(static_cast<unsigned char>(text_[place]))) {
        add(alive.at + 1, std::move(alive.slots), place + 1);
      }
    }
  }

  // Follows all that needs no byte, without recursion: a program may be one long chain of it.
  void add(std::uint32_t at, std::vector<std::size_t> slots, std::size_t place) {
    const auto restore = static_cast<std::uint32_t>(program_.code.size());
    pending_.push_back({at, 0, 0});
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      if (next.at == restore) {
        slots[next.slot] = next.old;
        continue;
      }
      if (std::exchange(seen_[next.at], place) == place) continue;
      const PatternInstruction& instruction = program_.code[next.at];
      switch (instruction.op) {
        case PatternOp::kBytes:
        case PatternOp::kMatch:
          threads_.push_back({next.at, slots});
          break;
        case PatternOp::kSplit:
          pending_.push_back({instruction.y, 0, 0});
          pending_.push_back({instruction.x, 0, 0});
          break;
        case PatternOp::kJump:
          pending_.push_back({instruction.x, 0, 0});
          break;
        case PatternOp::kSave:
          pending_.push_back({restore, instruction.x, slots[instruction.x]});
          slots[instruction.x] = place;
          pending_.push_back({next.at + 1, 0, 0});
          break;
        default:
          if (holds(instruction.op, place)) pending_.push_back({next.at + 1, 0, 0});
      }
    }
  }

  [[nodiscard]] bool holds(PatternOp op, std::size_t place) const {
    const bool first = place == 0;
    const bool last = place == text_.size();
    if (op == PatternOp::kLineStart) return first || text_[place - 1] == '\n';
    if (op == PatternOp::kLineEnd) return last || text_[place] == '\n';
    return (!first && is_word(text_[place - 1])) != (!last && is_word(text_[place]));
  }

  const PatternProgram& program_;
  const std::string_view text_;
  std::vector<Alive> threads_;
  // At which place of the text each instruction was reached last.
  std::vector<std::size_t> seen_;
  std::vector<Pending> pending_;
  std::optional<std::vector<std::size_t>> found_;
};

}  // namespace

base::Result<Pattern> Pattern::compile(std::string_view text) {
  CLEVER_ASSIGN(PatternProgram program, internal::compile_pattern(text));
  return Pattern(std::string(text), std::make_shared<const PatternProgram>(std::move(program)));
}

std::size_t Pattern::groups() const { return program_->groups; }

std::optional<std::vector<std::string>> Pattern::search(std::string_view text) const {
  const auto slots = Machine(*program_, text).run();
  if (!slots) return std::nullopt;
  std::vector<std::string> groups;
  for (std::size_t group = 1; group <= program_->groups; ++group) {
    const std::size_t begin = (*slots)[2 * group];
    const std::size_t end = (*slots)[2 * group + 1];
    const bool took_part = begin != kNowhere && end != kNowhere;
    groups.emplace_back(took_part ? text.substr(begin, end - begin) : std::string_view());
  }
  return groups;
}

}  // namespace clever::provider
