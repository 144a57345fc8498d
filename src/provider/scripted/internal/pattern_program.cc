#include "provider/scripted/internal/pattern_program.h"

#include <utility>

#include "provider/scripted/internal/pattern_syntax.h"

namespace clever::provider::internal {
namespace {

using Kind = PatternNodeKind;
using Op = PatternOp;

// Emits the instructions of a tree. Stops growing at the limit; too_large() tells.
class Emitter {
 public:
  explicit Emitter(PatternProgram& program) : program_(program) {}

  [[nodiscard]] bool too_large() const { return here() > kMostPatternInstructions; }

  void emit(const PatternNode& node) {
    if (too_large()) return;
    switch (node.kind) {
      case Kind::kBytes:
        return emit_bytes(node.bytes);
      case Kind::kAnyOf:
        return emit_alternatives(node.parts);
      case Kind::kSequence:
        for (const PatternNode& part : node.parts) emit(part);
        return;
      case Kind::kRepeat:
        return emit_repeat(node);
      case Kind::kGroup:
        return emit_group(node.parts.front(), node.group);
      case Kind::kLineStart:
        return add({Op::kLineStart});
      case Kind::kLineEnd:
        return add({Op::kLineEnd});
      case Kind::kWordEdge:
        return add({Op::kWordEdge});
    }
  }
  void emit_group(const PatternNode& inner, std::size_t group) {
    add({Op::kSave, static_cast<std::uint32_t>(2 * group)});
    emit(inner);
    add({Op::kSave, static_cast<std::uint32_t>(2 * group + 1)});
  }
  void add(PatternInstruction instruction) { program_.code.push_back(instruction); }

 private:
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(program_.code.size());
  }
  PatternInstruction& at(std::uint32_t place) { return program_.code[place]; }

  void emit_bytes(const ByteSet& bytes) {
    program_.sets.push_back(bytes);
    add({Op::kBytes, static_cast<std::uint32_t>(program_.sets.size() - 1)});
  }

  void emit_alternatives(const std::vector<PatternNode>& parts) {
    std::vector<std::uint32_t> ends;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool last = i + 1 == parts.size();
      const std::uint32_t split = here();
      if (!last) add({Op::kSplit, split + 1});
      emit(parts[i]);
      if (last) break;
      ends.push_back(here());
      add({Op::kJump});
      at(split).y = here();
    }
    for (const std::uint32_t end : ends) at(end).x = here();
  }

  void emit_repeat(const PatternNode& node) {
    const PatternNode& part = node.parts.front();
    for (std::size_t i = 0; i < node.least && !too_large(); ++i) emit(part);
    if (node.most == PatternNode::kNoEnd) return emit_loop(part, node.lazy);
    std::vector<std::uint32_t> splits;
    for (std::size_t i = node.least; i < node.most && !too_large(); ++i) {
      splits.push_back(here());
      add({Op::kSplit});
      emit(part);
    }
    for (const std::uint32_t split : splits) choose(split, split + 1, here(), node.lazy);
  }

  void emit_loop(const PatternNode& part, bool lazy) {
    const std::uint32_t split = here();
    add({Op::kSplit});
    emit(part);
    add({Op::kJump, split});
    choose(split, split + 1, here(), lazy);
  }

  void choose(std::uint32_t split, std::uint32_t more, std::uint32_t done, bool lazy) {
    at(split).x = lazy ? done : more;
    at(split).y = lazy ? more : done;
  }

  PatternProgram& program_;
};

}  // namespace

base::Result<PatternProgram> compile_pattern(std::string_view text) {
  CLEVER_ASSIGN(const PatternTree tree, parse_pattern(text));
  PatternProgram program;
  program.groups = tree.groups;
  Emitter emitter(program);
  emitter.emit_group(tree.root, 0);
  emitter.add({PatternOp::kMatch});
  if (emitter.too_large()) return base::invalid_argument("its repetitions make it too large");
  return program;
}

}  // namespace clever::provider::internal
