#include "engine/actor/indexed_context.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "git/tree_path.h"

namespace clever::engine {
namespace {

using context::Assembly;
using context::Fragment;

// Room for the tags, the path and the reason around a fragment.
constexpr std::size_t kFragmentFrame = 64;
constexpr std::size_t kMostStores = 64;
constexpr std::string_view kPreambleTag = "context";
constexpr std::string_view kSkeletonTag = "project_outline";
// The same limit as FilesContext's.
constexpr std::size_t kLargestFallback = std::size_t{64} << 10U;
constexpr std::string_view kWhyOutlined =
    "an outline of the project around your part, not the files themselves";

std::size_t fragment_bytes(const ContextFragment& fragment) {
  return fragment.path.size() + fragment.text.size() + fragment.why.size() + kFragmentFrame;
}

std::string lines_of(const Fragment& fragment) {
  if (fragment.range.end <= fragment.range.begin) return {};
  return "lines " + std::to_string(fragment.range.first_line) + "-" +
         std::to_string(fragment.range.last_line) + ": ";
}

std::string depth_of(const Fragment& fragment) {
  if (fragment.depth == syntax::Depth::kFull) return {};
  return std::string(to_string(fragment.depth)) + " only: ";
}

ContextFragment fragment_of(const Fragment& fragment) {
  return {.path = git::printable(fragment.path),
          .text = base::to_valid_utf8(fragment.content),
          .why = lines_of(fragment) + depth_of(fragment) + fragment.why};
}

model::ShownFragment shown_fragment(const Fragment& fragment) {
  const bool is_part = fragment.range.end > fragment.range.begin;
  return {.path = git::printable(fragment.path),
          .first_line = is_part ? static_cast<std::int64_t>(fragment.range.first_line) : 0,
          .last_line = is_part ? static_cast<std::int64_t>(fragment.range.last_line) : 0,
          .depth = std::string(to_string(fragment.depth)),
          .tokens = static_cast<std::int64_t>(fragment.tokens),
          .score = fragment.score,
          .strategies = fragment.strategies,
          .why = fragment.why};
}

/// Takes what fits, in the assembly's order, so that the least relevant fragments are left out.
class Teller {
 public:
  Teller(Assembly assembly, std::string tree, std::size_t bytes)
      : assembly_(std::move(assembly)), left_(bytes) {
    assembled_.snapshot.tree = std::move(tree);
    assembled_.snapshot.source = "index";
    assembled_.snapshot.budget = static_cast<std::int64_t>(assembly_.budget);
    assembled_.snapshot.tokens = static_cast<std::int64_t>(assembly_.tokens);
  }

  AssembledContext tell(bool with_skeleton) {
    if (with_skeleton) add_text(kSkeletonTag, assembly_.skeleton, kWhyOutlined);
    add_text(kPreambleTag, assembly_.preamble, "");
    const std::vector<bool> fits = chosen();
    for (std::size_t i = 0; i < fits.size(); ++i) {
      if (fits[i]) add(assembly_.fragments[i]);
    }
    add_remark();
    return std::move(assembled_);
  }

 private:
  void add_text(std::string_view tag, const std::string& text, std::string_view why) {
    ContextFragment fragment{
        .text = base::to_valid_utf8(text), .why = std::string(why), .tag = std::string(tag)};
    if (text.empty() || fragment_bytes(fragment) > left_) return;
    left_ -= fragment_bytes(fragment);
    assembled_.fragments.push_back(std::move(fragment));
    if (!why.empty()) {
      assembled_.snapshot.fragments.push_back({.depth = std::string(tag), .why = std::string(why)});
    }
  }

  [[nodiscard]] std::vector<bool> chosen() {
    std::vector<std::size_t> best(assembly_.fragments.size());
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = i;
    std::ranges::sort(best, {},
                      [&](std::size_t i) { return std::pair(-assembly_.fragments[i].score, i); });
    std::vector<bool> fits(best.size(), false);
    for (const std::size_t i : best) {
      const std::size_t bytes = fragment_bytes(fragment_of(assembly_.fragments[i]));
      fits[i] = bytes <= left_;
      if (fits[i]) left_ -= bytes;
      if (!fits[i]) ++assembly_.left_out;
    }
    return fits;
  }

  void add(const Fragment& fragment) {
    assembled_.snapshot.fragments.push_back(shown_fragment(fragment));
    assembled_.fragments.push_back(fragment_of(fragment));
  }

  void add_remark() {
    if (assembly_.left_out == 0) return;
    assembled_.remark = "Not shown for lack of room: " + std::to_string(assembly_.left_out) +
                        " more that may matter; request_context and search find them";
    assembled_.snapshot.remark = assembled_.remark;
  }

  Assembly assembly_;
  std::size_t left_;
  AssembledContext assembled_;
};

context::Question question_of(const ContextRequest& request, const CodeViews::Seen& seen,
                              const ViewRules& rules) {
  return {.plan = request.plan,
          .phase = request.phase,
          .text = request.query,
          .focus = request.focus,
          .view = limited(rules, seen.view),
          .history = seen.history,
          .decisions = request.decisions};
}

}  // namespace

AssembledContext assembled_context(Assembly assembly, const std::string& tree, std::size_t bytes,
                                   bool with_skeleton) {
  return Teller(std::move(assembly), tree, bytes).tell(with_skeleton);
}

std::shared_ptr<git::ObjectStore> IndexedContext::store_of(const ContextRequest& request) {
  const git::ObjectStore* wanted =
      request.store != nullptr ? request.store.get() : &request.workspace->store();
  auto known = stores_.with([&](auto& stores) -> std::shared_ptr<git::ObjectStore> {
    std::erase_if(stores, [](const auto& store) { return store.expired(); });
    for (const auto& store : stores) {
      if (auto held = store.lock(); held.get() == wanted) return held;
    }
    if (request.store == nullptr) return nullptr;
    if (stores.size() == kMostStores) stores.erase(stores.begin());
    stores.push_back(request.store);
    return request.store;
  });
  if (known != nullptr) return known;
  return {request.workspace, &request.workspace->store()};
}

std::optional<CodeViews::Files> IndexedContext::files_of(const ContextRequest& request) {
  const bool has_store = request.store != nullptr || request.workspace != nullptr;
  if (!request.project || !has_store || !request.tree) return std::nullopt;
  return CodeViews::Files{.project = *request.project,
                          .store = store_of(request),
                          .tree = *request.tree,
                          .commit = request.commit,
                          .phase = request.phase};
}

IndexedContext::IndexedContext(Parts parts, Options options)
    : parts_(std::move(parts)), options_(options) {}

context::Budget IndexedContext::budget_of(const ContextRequest& request) const {
  const auto positive = [](std::int64_t number) {
    return static_cast<std::size_t>(std::max<std::int64_t>(number, 0));
  };
  const std::size_t response = positive(request.terms.max_output);
  const std::size_t window = positive(request.terms.context_window);
  const std::size_t others = options_.tools + options_.system;
  // Leaves the other half to the conversation.
  const std::size_t half = window > response ? (window - response) / 2 : 0;
  std::size_t room = std::min(half > others ? half - others : 0, options_.most_tokens);
  if (request.tokens != 0) room = std::min(room, request.tokens);
  return {.window = room + response + others,
          .response = response,
          .tools = options_.tools,
          .system = options_.system,
          .skeleton_ratio = request.is_subplan ? options_.skeleton_ratio : 0};
}

void IndexedContext::prepare(const ContextRequest& request) {
  if (const auto files = files_of(request)) parts_.views.prepare(*files);
}

base::Result<Assembly> IndexedContext::search(const ContextRequest& request,
                                              const context::TokenCounter& counter,
                                              const context::Budget& budget,
                                              const base::StopToken& stop,
                                              base::Deadline deadline) {
  const auto files = files_of(request);
  if (!files) return base::unavailable("there is no index of these files");
  CLEVER_ASSIGN(
      const CodeViews::Seen seen,
      parts_.views.look(*files, stop,
                        base::Deadline::after(parts_.clock, options_.wait).earlier(deadline)));
  return parts_.assemble(question_of(request, seen, parts_.views.rules_of(request.phase)), budget,
                         counter, stop);
}

base::Result<AssembledContext> IndexedContext::fall_back(const ContextRequest& request,
                                                         const std::string& why,
                                                         const base::StopToken& stop,
                                                         base::Deadline deadline) {
  ContextRequest less = request;
  less.budget = std::min(request.budget, kLargestFallback);
  CLEVER_ASSIGN(AssembledContext context, parts_.otherwise.assemble(less, stop, deadline));
  context.snapshot.remark = why;
  return context;
}

base::Result<AssembledContext> IndexedContext::assemble(const ContextRequest& request,
                                                        const base::StopToken& stop,
                                                        base::Deadline deadline) {
  if (request.workspace == nullptr || request.budget == 0) return AssembledContext{};
  const auto counter = parts_.counter(request.terms.model);
  auto found = search(request, *counter, budget_of(request), stop, deadline);
  if (stop.stop_requested()) return base::cancelled("stopped before the context was assembled");
  if (!found.ok()) return fall_back(request, found.error().sentence(), stop, deadline);
  if (found->fragments.empty()) {
    return fall_back(request, "nothing in the index fits the task", stop, deadline);
  }
  return assembled_context(std::move(found).value(), request.tree->to_hex(), request.budget,
                           request.is_subplan);
}

}  // namespace clever::engine
