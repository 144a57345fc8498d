
#include <map>

#include "base/secret_marks.h"
#include "base/utf8.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"
#include "tool/output_text.h"

namespace clever::tool {
namespace {

constexpr std::size_t kUsualResults = 200;

// Decides which of the found files hold a secret, once per file.
class WithheldFiles {
 public:
  WithheldFiles(sandbox::Workspace& workspace, const base::Secrets* secrets)
      : workspace_(workspace), secrets_(secrets) {}

  [[nodiscard]] bool contain(const std::string& path) {
    if (secrets_ == nullptr) return false;
    const auto [known, is_new] = known_.try_emplace(path, false);
    if (is_new) known->second = holds_secret(path);
    return known->second;
  }

 private:
  [[nodiscard]] bool holds_secret(const std::string& path) {
    const auto file = git::TreePath::parse(path).and_then(
        [&](const git::TreePath& parsed) { return workspace_.read(parsed); });
    // A file that changed since is judged by the search's copy.
    return file.ok() && internal::holds_secret(file->content, secrets_);
  }

  sandbox::Workspace& workspace_;
  const base::Secrets* const secrets_;
  std::map<std::string, bool> known_;
};

base::Result<ToolAnswer> search(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                const CallContext& context) {
  const auto most = static_cast<std::size_t>(input.integer("max_results").value_or(kUsualResults));
  CLEVER_ASSIGN(const sandbox::SearchResult found,
                workspace.search({.pattern = input.text("pattern"),
                                  .regex = input.flag("regex"),
                                  .glob = input.text("glob"),
                                  .max_results = most},
                                 context.stop, context.deadline));
  if (found.matches.empty()) {
    return ToolAnswer{.text = filled("nothing found in {}", counted(found.files_searched, "file"))};
  }
  ToolAnswer answer{.truncated = found.truncated};
  WithheldFiles withheld(workspace, context.secrets);
  for (const sandbox::Match& match : found.matches) {
    answer.text += filled("{}:{}: {}\n", git::printable(match.path), match.line,
                          withheld.contain(match.path) ? std::string(base::kFileWithheld)
                                                       : base::to_valid_utf8(match.text));
  }
  if (found.truncated) {
    answer.text += filled(
        "[only the first {} matches are shown: narrow it down with glob, or "
        "raise max_results]\n",
        found.matches.size());
  }
  return answer;
}

}  // namespace

std::shared_ptr<Tool> search_tool() {
  return internal::make_tool(
      {.name = "search",
       .description =
           "Finds text in the project's files, without those that git ignores and binary ones. "
           "Answers with path:line: text, sorted. Case-sensitive; (?i) at the start of a regular "
           "expression ignores case.",
       .input_schema = internal::object_schema(
           R"("pattern":{"type":"string","minLength":1,"description":"Plain text within one line."},)"
           R"("glob":{"type":"string","description":"Only in these files, such as \"src/**/*.py\"."},)"
           R"("regex":{"type":"boolean","description":"The pattern is a regular expression (RE2)."},)"
           R"("max_results":{"type":"integer","minimum":1,"maximum":5000,"description":"Usually 200."})",
           R"("pattern")"),
       .capabilities = internal::kReads},
      search);
}

}  // namespace clever::tool
