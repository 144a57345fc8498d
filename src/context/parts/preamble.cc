
#include "base/text.h"
#include "base/utf8.h"
#include "context/internal/text_of.h"
#include "context/parts/internal/lines.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

constexpr std::size_t kLongestWhy = 120;

std::string place_of(const Fragment& fragment) {
  if (fragment.range == syntax::Range{}) return fragment.path;
  return internal::text_of(fragment.path, ":", fragment.range.first_line, "-",
                           fragment.range.last_line);
}

class ProvenancePreamble final : public PreambleWriter {
 public:
  [[nodiscard]] std::string write(const Question& /*question*/,
                                  const std::vector<Fragment>& fragments,
                                  const TokenCounter& counter, std::size_t tokens) const override {
    if (fragments.empty()) return {};
    std::vector<std::string> lines = {internal::text_of(
        "Context: ", fragments.size(), " pieces of the project, found for this task.\n")};
    for (const auto& fragment : fragments) {
      lines.push_back(internal::text_of("- ", place_of(fragment), " (",
                                        syntax::to_string(fragment.depth), "; ",
                                        base::joined(fragment.strategies, ", "),
                                        "): ", base::utf8_prefix(fragment.why, kLongestWhy), "\n"));
    }
    lines.back() += "\n";
    return internal::as_many_lines(lines, counter, tokens);
  }
};

class NoPreamble final : public PreambleWriter {
 public:
  [[nodiscard]] std::string write(const Question& /*question*/,
                                  const std::vector<Fragment>& /*fragments*/,
                                  const TokenCounter& /*counter*/,
                                  std::size_t /*tokens*/) const override {
    return {};
  }
};

}  // namespace

std::shared_ptr<const PreambleWriter> provenance_preamble() {
  return std::make_shared<ProvenancePreamble>();
}
std::shared_ptr<const PreambleWriter> no_preamble() { return std::make_shared<NoPreamble>(); }

}  // namespace clever::context
