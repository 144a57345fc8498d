#include <algorithm>
#include <array>
#include <optional>

#include "context/internal/text_of.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

using syntax::Depth;

/// Tokens are rarely longer than this: a text of more than budget × this bytes cannot fit.
constexpr std::size_t kLongestToken = 12;
/// Limits on the files, and their bytes, read for one page; the rest are listed.
constexpr std::size_t kMostFilesRead = 80;
constexpr std::size_t kMostBytesRead = std::size_t{2} << 20U;

class OutlineResolver final : public DepthResolver {
 public:
  explicit OutlineResolver(Depth deepest) : deepest_(deepest) {}

  [[nodiscard]] std::vector<Resolved> resolve(const Question& question, std::vector<Merged> merged,
                                              const TokenCounter& tokens, std::size_t budget,
                                              const base::StopToken& stop) const override {
    Work work{.question = question, .tokens = tokens, .budget = budget};
    std::vector<Resolved> resolved;
    for (auto& one : merged) {
      if (stop.stop_requested()) break;
      Resolved result{.merged = std::move(one)};
      if (!result.merged.candidate.text.empty()) {
        show(work, result, Depth::kFull, result.merged.candidate.text);
      } else {
        show_file(work, result);
      }
      if (!result.depths.empty()) resolved.push_back(std::move(result));
    }
    return resolved;
  }

 private:
  struct Work {
    const Question& question;
    const TokenCounter& tokens;
    std::size_t budget;
    std::size_t files = 0;
    std::size_t bytes = 0;
    /// The tokens of all fragments at their deepest.
    std::size_t wanted = 0;
  };

  static void show(Work& work, Resolved& to, Depth depth, std::string content) {
    if (content.empty() || content.size() > work.budget * kLongestToken) return;
    const auto& candidate = to.merged.candidate;
    // Texts larger than a page are not shown, whatever their size; a shallower picture must cost
    // less than the deeper one.
    const std::size_t most = to.depths.empty() ? work.budget : to.depths.back().tokens - 1;
    const std::size_t tokens = work.tokens.count_up_to(
        rendered(
            {.path = candidate.path, .range = candidate.range, .depth = depth, .content = content}),
        most);
    if (!to.depths.empty() && tokens > most) return;
    if (to.depths.empty()) work.wanted += tokens;
    to.depths.push_back({.depth = depth, .content = std::move(content), .tokens = tokens});
  }

  void show_file(Work& work, Resolved& to) const {
    if (work.question.view == nullptr) return;
    const auto& view = *work.question.view;
    const auto& candidate = to.merged.candidate;
    const auto file = view.find(candidate.path);
    if (!file) return;
    const bool room =
        work.files < kMostFilesRead && work.bytes < kMostBytesRead && work.wanted < 4 * work.budget;
    if (!room || view.kind(*file) == index::FileKind::kBinary ||
        view.kind(*file) == index::FileKind::kTooLarge) {
      if (is_whole(candidate)) show(work, to, Depth::kListing, listing(view, *file));
      return;
    }
    const auto content = view.content(*file);
    if (!content) return;
    const auto syntax = view.syntax(*file);
    ++work.files;
    work.bytes += content->size();
    const syntax::Syntax nothing{};
    at_each_depth(work, to, syntax.ok() ? *syntax : nothing, *content);
  }

  void at_each_depth(Work& work, Resolved& to, const syntax::Syntax& syntax,
                     const std::string& content) const {
    const auto& candidate = to.merged.candidate;
    // The range belongs to another version of the file.
    if (candidate.range.begin > candidate.range.end || candidate.range.end > content.size()) return;
    for (const Depth depth : {Depth::kFull, Depth::kSignatures, Depth::kMembers, Depth::kListing}) {
      if (depth > std::min(candidate.depth, deepest_)) continue;
      // The file's own listing says where a piece lies.
      if (depth == Depth::kListing && !is_whole(candidate)) continue;
      show(work, to, depth,
           syntax::outline(syntax, candidate.path, content, depth, candidate.range));
    }
  }

  static bool is_whole(const Candidate& candidate) { return candidate.range == syntax::Range{}; }

  static std::string listing(const index::View& view, index::FileNumber file) {
    return internal::text_of(view.path(file), " (", syntax::to_string(view.language(file)), ", ",
                             index::to_string(view.kind(file)), ")");
  }

  const Depth deepest_;
};

}  // namespace

std::shared_ptr<const DepthResolver> outline_resolver(syntax::Depth deepest) {
  return std::make_shared<OutlineResolver>(deepest);
}

}  // namespace clever::context
