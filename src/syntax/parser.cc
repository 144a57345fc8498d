#include "syntax/parser.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "syntax/internal/grammar.h"
#include "syntax/internal/name_table.h"
#include "syntax/internal/nesting.h"
#include "syntax/internal/walker.h"

namespace clever::syntax {
namespace {

struct DeleteParser {
  void operator()(TSParser* parser) const noexcept { ts_parser_delete(parser); }
};
struct DeleteTree {
  void operator()(TSTree* tree) const noexcept { ts_tree_delete(tree); }
};
using TreePointer = std::unique_ptr<TSTree, DeleteTree>;

bool has_longer_line(std::string_view content, std::size_t longest) {
  for (std::size_t begin = 0; content.size() - begin > longest;) {
    const std::size_t newline = content.substr(begin, longest + 1).rfind('\n');
    if (newline == std::string_view::npos) {
      return true;
    }
    begin += newline + 1;
  }
  return false;
}

/// One run of tree-sitter, with a limit on its work. The work grows with the length of the text,
/// except for texts full of errors, which are given up. Counts work instead of time, so that the
/// outcome is always the same.
struct Run {
  /// third_party/tree_sitter/core.c counts this member, and knows it by its position.
  std::size_t work = 0;
  std::size_t most_work;
  std::size_t steps_left;
  std::string_view content;
  const base::StopToken* stop;
};
static_assert(std::is_standard_layout_v<Run>);

Run run_for(std::string_view content, const base::StopToken& stop) {
  // A multiple of what real files need at most.
  constexpr std::size_t kWorkPerByte = 16;
  constexpr std::size_t kBytesPerStep = 32;
  constexpr std::size_t kAtLeast = 64U << 10U;
  return {.most_work = kWorkPerByte * (content.size() + kAtLeast),
          .steps_left = (content.size() + kAtLeast) / kBytesPerStep,
          .content = content,
          .stop = &stop};
}

const char* read_content(void* payload, std::uint32_t byte, TSPoint /*at*/, std::uint32_t* size) {
  const std::string_view content = static_cast<const Run*>(payload)->content;
  const std::size_t begin = std::min<std::size_t>(byte, content.size());
  *size = static_cast<std::uint32_t>(content.size() - begin);
  return content.data() + begin;
}

bool should_stop(TSParseState* state) {
  Run& run = *static_cast<Run*>(state->payload);
  if (run.steps_left == 0 || run.work > run.most_work || run.stop->stop_requested()) {
    return true;
  }
  --run.steps_left;
  return false;
}

// Sorts by beginning, outer symbols first, and updates `parent`.
void order(std::vector<Symbol>& symbols) {
  const auto key = [](const Symbol& symbol) {
    return std::pair(symbol.range.begin, ~symbol.range.end);
  };
  if (std::ranges::is_sorted(symbols, {}, key)) {
    return;
  }
  std::vector<std::int32_t> places(symbols.size());
  for (std::size_t index = 0; index < places.size(); ++index) {
    places[index] = static_cast<std::int32_t>(index);
  }
  std::ranges::sort(places, {}, [&](std::int32_t place) {
    return std::pair(key(symbols[static_cast<std::size_t>(place)]), place);
  });
  std::vector<std::int32_t> moved_to(symbols.size());
  std::vector<Symbol> ordered;
  ordered.reserve(symbols.size());
  for (const std::int32_t place : places) {
    moved_to[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(ordered.size());
    ordered.push_back(std::move(symbols[static_cast<std::size_t>(place)]));
  }
  for (Symbol& symbol : ordered) {
    symbol.parent = symbol.parent < 0 ? -1 : moved_to[static_cast<std::size_t>(symbol.parent)];
  }
  symbols = std::move(ordered);
}

}  // namespace

class Parser::Impl {
 public:
  explicit Impl(const ParseLimits& limits) : limits_(limits), parser_(ts_parser_new()) {}

  Syntax parse(Language language, std::string_view content, const base::StopToken& stop) {
    if (language == Language::kText || content.empty()) {
      return {.language = language};
    }
    if (content.size() > std::min<std::size_t>(limits_.largest, UINT32_MAX / 2) ||
        has_longer_line(content, limits_.longest_line) ||
        internal::nests_too_deep(language, content)) {
      return {.truncated = true};
    }
    const internal::Grammar& grammar = grammar_of(language);
    const TreePointer tree = tree_of(grammar, content, stop);
    if (tree == nullptr) {
      return {.language = language, .truncated = true};
    }
    return read(language, grammar, content, stop, ts_tree_root_node(tree.get()));
  }

 private:
  const internal::Grammar& grammar_of(Language language) {
    auto& grammar = grammars_[static_cast<std::size_t>(language)];
    if (grammar == nullptr) {
      grammar = std::make_unique<const internal::Grammar>(language);
    }
    return *grammar;
  }

  TreePointer tree_of(const internal::Grammar& grammar, std::string_view content,
                      const base::StopToken& stop) {
    Run run = run_for(content, stop);
    const TSInput input{
        .payload = &run, .read = &read_content, .encoding = TSInputEncodingUTF8, .decode = nullptr};
    const TSParseOptions options{.payload = &run, .progress_callback = &should_stop};
    ts_parser_set_language(parser_.get(), grammar.language());
    TreePointer tree(ts_parser_parse_with_options(parser_.get(), nullptr, input, options));
    ts_parser_reset(parser_.get());
    return tree;
  }

  Syntax read(Language language, const internal::Grammar& grammar, std::string_view content,
              const base::StopToken& stop, TSNode root) {
    Syntax result{.language = language, .has_errors = ts_node_has_error(root)};
    names_.clear();
    names_.limit(limits_.most_references);
    internal::Walker walker(
        {.grammar = grammar, .content = content, .limits = limits_, .stop = stop}, names_, result);
    walker.run(root);
    order(result.symbols);
    result.references = names_.references();
    result.truncated = result.truncated || names_.overflowed();
    return result;
  }

  ParseLimits limits_;
  std::unique_ptr<TSParser, DeleteParser> parser_;
  std::array<std::unique_ptr<const internal::Grammar>, kLanguages> grammars_{};
  internal::NameTable names_;
};

Parser::Parser(const ParseLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

Syntax Parser::parse(Language language, std::string_view content, const base::StopToken& stop) {
  return impl_->parse(language, content, stop);
}

}  // namespace clever::syntax
