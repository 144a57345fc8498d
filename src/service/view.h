#pragma once
// How a command's answer is shown to people, independent of the output format: handlers say what
// the parts mean, renderers decide what they look like. Plain data.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diff/tree_diff.h"

namespace clever::service {

enum class Tone : std::uint8_t { kPlain, kStrong, kDim, kGood, kWarn, kBad, kAccent };

struct Span {
  std::string text;
  Tone tone = Tone::kPlain;
};
using Line = std::vector<Span>;

/// Lines as they stand.
struct Prose {
  std::vector<Line> lines;
};

/// Names with one value each.
struct Fields {
  struct Field {
    std::string name;
    Span value;
  };
  std::string title;
  std::vector<Field> fields;
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Span>> rows;
};

enum class Verdict : std::uint8_t { kOk, kWarn, kFail };
/// "ok", "warn", "fail"
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

/// Things that were looked at and what was found.
struct Checks {
  struct Check {
    std::string name;
    Verdict verdict = Verdict::kOk;
    std::string detail;
    /// What would make it better; empty if nothing is to be done.
    std::string hint;
  };
  std::string title;
  std::vector<Check> checks;
};

/// What a model wrote: rendered at a terminal, as it stands elsewhere.
struct Markdown {
  std::string text;
  /// Columns in front of each line.
  std::size_t indent = 0;
};

/// Text for another program, written byte for byte in every format for people.
struct Raw {
  std::string text;
};

enum class DiffShape : std::uint8_t { kUnified, kStat, kWords, kNames, kSides };

/// What files became. In a pipe the bytes of the unified form are those that `git apply` takes.
struct Changes {
  std::vector<diff::FileDiff> files;
  DiffShape shape = DiffShape::kUnified;
  /// A long one may be handed to a pager.
  bool paged = true;
};

using Block = std::variant<Prose, Fields, Table, Checks, Markdown, Raw, Changes>;
using View = std::vector<Block>;

}  // namespace clever::service
