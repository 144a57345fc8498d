#include "engine/actor/context_tools.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "engine/actor/withheld_files.h"
#include "git/tree_path.h"
#include "index/words.h"
#include "sandbox/workspace.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

using nlohmann::json;

constexpr std::size_t kUsualTokens = 6'000;
constexpr std::size_t kMostRelatedFiles = 20;
constexpr std::size_t kMostDecisions = 10;
// A high estimate, which leaves room for tags and reasons.
constexpr std::size_t kBytesPerToken = 6;

constexpr std::string_view kRequestSchema =
    R"({"type":"object","properties":{)"
    R"("query":{"type":"string","minLength":1,"maxLength":65536,"description":"What you want to know or do, in words, with the names of functions, types and files as far as you know them."},)"
    R"("focus":{"type":"array","items":{"type":"string"},"maxItems":64,"description":"Paths that must be considered."},)"
    R"("budget":{"type":"integer","minimum":100,"maximum":100000,"description":"Tokens at most; usually 6000."}},)"
    R"("required":["query"],"additionalProperties":false})";

constexpr std::string_view kHistorySchema =
    R"({"type":"object","properties":{)"
    R"("query":{"type":"string","minLength":1,"maxLength":65536,"description":"What a change was about, in words."}},)"
    R"("required":["query"],"additionalProperties":false})";

constexpr tool::Capabilities kReads{.read_only = true, .idempotent = true};

// The input fits the schema.
json read(std::string_view input) { return json::parse(input, nullptr, false); }

std::string block(const ContextFragment& fragment) {
  std::string text = "## " + (fragment.path.empty() ? std::string("About") : fragment.path);
  if (!fragment.why.empty()) text += " (" + fragment.why + ")";
  text += "\n" + fragment.text;
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

class RequestContext final : public tool::Tool {
 public:
  explicit RequestContext(const ContextToolParts& parts)
      : source_(parts.source),
        project_(parts.project),
        spec_{.name = "request_context",
              .description =
                  "Finds what matters for a question in the project (by words, names, the graph of "
                  "uses, likeness and history) and shows it: whole files, parts of them or their "
                  "signatures, as far as the budget goes. Sees what you have changed.",
              .input_schema = std::string(kRequestSchema),
              .capabilities = kReads} {}

  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }

  base::Result<tool::ToolAnswer> call(const tool::CallContext& context,
                                      std::string_view input) override {
    CLEVER_ASSIGN(const ContextRequest request, request_of(context, read(input)));
    CLEVER_ASSIGN(AssembledContext found,
                  source_.assemble(request, context.stop, context.deadline));
    mark_read(*context.workspace, found);
    withhold_files(found.fragments, *context.workspace, context.secrets);
    return answer(found, context.output_limit);
  }

 private:
  [[nodiscard]] base::Result<ContextRequest> request_of(const tool::CallContext& context,
                                                        const json& input) const {
    ContextRequest request{.phase = model::Phase::kExecute,
                           .query = input.value("query", std::string()),
                           .focus = input.value("focus", std::vector<std::string>()),
                           .workspace = context.workspace,
                           .project = project_,
                           .tokens = input.value("budget", kUsualTokens)};
    request.budget = std::min(request.tokens * kBytesPerToken, context.output_limit);
    CLEVER_ASSIGN(request.tree, context.workspace->tree());
    const auto head = git::head_state(project_);
    if (head.ok() && head->commit) request.commit = head->commit->to_hex();
    return request;
  }

  // Marks the shown files as read, for the merge.
  static void mark_read(sandbox::Workspace& workspace, const AssembledContext& found) {
    for (const ContextFragment& fragment : found.fragments) {
      const auto path = git::TreePath::parse(fragment.path);
      if (path.ok()) (void)workspace.read(*path);
    }
  }

  static tool::ToolAnswer answer(const AssembledContext& found, std::size_t limit) {
    if (found.fragments.empty()) return {.text = "nothing was found"};
    tool::ToolAnswer answer;
    for (const ContextFragment& fragment : found.fragments) answer.text += block(fragment) + "\n";
    if (!found.remark.empty()) answer.text += found.remark + "\n";
    answer.truncated = answer.text.size() > limit;
    answer.text = tool::cut_middle(answer.text, limit);
    return answer;
  }

  // Constant after construction.
  ContextSource& source_;
  const git::Project project_;
  const tool::ToolSpec spec_;
};

std::set<std::string> stems_of(std::string_view text) {
  std::set<std::string> stems;
  for (const std::string& word : index::words_of(text)) {
    stems.insert(std::string(index::stem_of(word)));
  }
  return stems;
}

class QueryHistory final : public tool::Tool {
 public:
  explicit QueryHistory(const ContextToolParts& parts)
      : history_(parts.history),
        decisions_(parts.decisions),
        spec_{
            .name = "query_history",
            .description =
                "Tells which files earlier commits about such things changed, with the commit "
                "that speaks for each, and what earlier plans in this project decided about them.",
            .input_schema = std::string(kHistorySchema),
            .capabilities = kReads} {}

  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }

  base::Result<tool::ToolAnswer> call(const tool::CallContext& context,
                                      std::string_view input) override {
    const std::string query = read(input).value("query", std::string());
    std::string text = commits(query, context) + plans(query, context);
    if (text.empty()) text = "nothing like that is in the project's history";
    return tool::ToolAnswer{.text = tool::cut_middle(text, context.output_limit),
                            .truncated = text.size() > context.output_limit};
  }

 private:
  [[nodiscard]] std::string commits(const std::string& query,
                                    const tool::CallContext& context) const {
    if (!history_) return {};
    const auto history = history_(context.stop, context.deadline);
    if (!history.ok()) return "commits could not be read: " + history.error().sentence() + "\n";
    std::string text;
    for (const auto& hit : (*history)->related(query, kMostRelatedFiles)) {
      text += git::printable(hit.path) + ": " + hit.commit + " " +
              base::to_valid_utf8(hit.subject) + "\n";
    }
    return text.empty() ? text : "Files that commits about it changed, likeliest first:\n" + text;
  }

  [[nodiscard]] std::string plans(const std::string& query,
                                  const tool::CallContext& context) const {
    if (!decisions_) return {};
    const auto notes = decisions_(context.stop);
    if (!notes.ok()) return "decisions could not be read: " + notes.error().sentence() + "\n";
    std::string text;
    for (const context::DecisionNote* note : related(*notes, query)) {
      text += "- " + note->question + " " + note->choice;
      if (!note->rationale.empty()) text += " (" + note->rationale + ")";
      text += "\n";
    }
    return text.empty() ? text : "What plans decided about it:\n" + text;
  }

  // Returns the notes that share the most words with the query; of equals, the newer ones.
  static std::vector<const context::DecisionNote*> related(
      const std::vector<context::DecisionNote>& notes, const std::string& query) {
    const std::set<std::string> asked = stems_of(query);
    // Sorts by the number of common words, then by age: the largest come first.
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t i = 0; i < notes.size(); ++i) {
      const context::DecisionNote& note = notes[i];
      const auto known = stems_of(note.question + " " + note.choice + " " + note.rationale);
      const auto shared = static_cast<std::size_t>(std::ranges::count_if(
          asked, [&](const std::string& stem) { return known.contains(stem); }));
      if (shared > 0) found.emplace_back(shared, notes.size() - i);
    }
    std::ranges::sort(found, std::ranges::greater{});
    std::vector<const context::DecisionNote*> best;
    for (const auto& [shared, from_the_end] : found) {
      if (best.size() < kMostDecisions) best.push_back(&notes[notes.size() - from_the_end]);
    }
    return best;
  }

  // Constant after construction.
  const decltype(ContextToolParts::history) history_;
  const decltype(ContextToolParts::decisions) decisions_;
  const tool::ToolSpec spec_;
};

}  // namespace

std::vector<std::shared_ptr<tool::Tool>> context_tools(const ContextToolParts& parts) {
  return {std::make_shared<RequestContext>(parts), std::make_shared<QueryHistory>(parts)};
}

}  // namespace clever::engine
