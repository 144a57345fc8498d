#include "context/parts/parts.h"

#include <algorithm>
#include <functional>

#include "base/nearest.h"
#include "base/text.h"
#include "context/internal/text_of.h"

namespace clever::context {
namespace {

struct Choosable {
  std::string name;
  std::function<void(PipelineParts&)> choose;
};
struct Part {
  std::string name;
  /// The default comes first.
  std::vector<Choosable> choices;
};

const std::vector<Part>& all_parts() {
  static const std::vector<Part> kParts = {
      {"selector",
       {{"weighing", [](PipelineParts& parts) { parts.selector = weighing_selector(); }},
        {"keyword", [](PipelineParts& parts) { parts.selector = keyword_selector(); }}}},
      {"allocator",
       {{"proportional", [](PipelineParts& parts) { parts.allocator = proportional_allocator(); }},
        {"equal", [](PipelineParts& parts) { parts.allocator = equal_allocator(); }}}},
      {"deduplicator",
       {{"content", [](PipelineParts& parts) { parts.deduplicator = content_deduplicator(); }}}},
      {"depth",
       {{"full", [](PipelineParts& parts) { parts.depths = outline_resolver(); }},
        {"signatures",
         [](PipelineParts& parts) { parts.depths = outline_resolver(syntax::Depth::kSignatures); }},
        {"members",
         [](PipelineParts& parts) { parts.depths = outline_resolver(syntax::Depth::kMembers); }},
        {"listing",
         [](PipelineParts& parts) { parts.depths = outline_resolver(syntax::Depth::kListing); }}}},
      {"scorer", {{"weighted", [](PipelineParts& parts) { parts.scorer = weighted_scorer(); }}}},
      {"packer",
       {{"knapsack", [](PipelineParts& parts) { parts.packer = knapsack_packer(); }},
        {"greedy", [](PipelineParts& parts) { parts.packer = greedy_packer(); }}}},
      {"orderer",
       {{"file", [](PipelineParts& parts) { parts.orderer = file_orderer(); }},
        {"score", [](PipelineParts& parts) { parts.orderer = score_orderer(); }}}},
      {"preamble",
       {{"provenance", [](PipelineParts& parts) { parts.preamble = provenance_preamble(); }},
        {"none", [](PipelineParts& parts) { parts.preamble = no_preamble(); }}}},
      {"skeleton",
       {{"tree", [](PipelineParts& parts) { parts.skeleton = tree_skeleton(); }},
        {"none", [](PipelineParts& parts) { parts.skeleton = no_skeleton(); }}}},
  };
  return kParts;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

/// Returns the part of that name, or an error that suggests one.
template <class Named>
base::Result<const Named*> find(const std::vector<Named>& all, const std::string& name,
                                std::string_view what) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found != all.end()) return &*found;
  const auto names = names_of(all);
  const auto near = base::nearest_match(name, names);
  return base::invalid_argument(
      internal::text_of("there is no ", what, " \"", name, "\"",
                        near ? internal::text_of(" (did you mean \"", *near, "\"?)") : "",
                        "; there are: ", base::joined(names, ", ")));
}

}  // namespace

PipelineParts default_parts() {
  PipelineParts parts;
  for (const auto& part : all_parts()) part.choices.front().choose(parts);
  return parts;
}

base::Result<PipelineParts> parts_from(const std::map<std::string, std::string>& names) {
  PipelineParts parts = default_parts();
  for (const auto& [part_name, name] : names) {
    CLEVER_ASSIGN(const Part* part, find(all_parts(), part_name, "part of the context pipeline"));
    CLEVER_ASSIGN(const Choosable* choice, find(part->choices, name, "context." + part_name));
    choice->choose(parts);
  }
  return parts;
}

}  // namespace clever::context
