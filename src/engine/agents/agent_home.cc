#include "engine/agents/agent_home.h"

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "engine/agents/internal/json_fields.h"
#include "engine/agents/private_files.h"
#include "io/directory.h"
#include "io/file.h"
#include "model/document_json.h"
#include "sandbox/layer_copy.h"

namespace clever::engine {
namespace {

using internal::member_count;
using internal::member_text;
using model::Document;

constexpr std::string_view kSessionFile = "session.json";
constexpr std::size_t kLargestSession = std::size_t{64} << 10U;

AgentSession session_in(const std::filesystem::path& folder) {
  const auto text = io::read_file(folder / kSessionFile, kLargestSession);
  const auto document = model::parse_document(text.ok() ? *text : std::string());
  if (!document.ok()) return {};
  return {.id = member_text(*document, "id"),
          .step = member_text(*document, "step"),
          .base = member_text(*document, "base"),
          .tree = member_text(*document, "tree"),
          .layer = member_text(*document, "layer"),
          .prompts = member_count(*document, "prompts"),
          .answers = member_count(*document, "answers"),
          .input_tokens = member_count(*document, "input_tokens"),
          .output_tokens = member_count(*document, "output_tokens")};
}

// Returns the latest epoch before this one.
std::optional<std::int64_t> last_epoch(const std::filesystem::path& folder, std::int64_t epoch) {
  std::optional<std::int64_t> last;
  const auto entries = io::Directory::open(folder);
  if (!entries.ok()) return last;
  (void)entries->list("", [&](std::string_view name, io::EntryFacts::Kind) {
    const auto number = base::to_number<std::int64_t>(std::string(name));
    if (number && *number < epoch && (!last || *number > *last)) last = *number;
    return true;
  });
  return last;
}

}  // namespace

base::Result<AgentHome> AgentHome::open(const std::filesystem::path& folder, std::int64_t epoch,
                                        const base::StopToken& stop) {
  constexpr mode_t kOwnFolder = 0700;
  const std::filesystem::path own = folder / std::to_string(epoch);
  // The session file is written last: a copy without it is incomplete and is made again.
  const bool is_whole = io::file_kind(own / kSessionFile) == io::FileKind::kFile;
  if (is_whole) return AgentHome(own, session_in(own));
  CLEVER_TRY(io::make_directories(own / "home", kOwnFolder));
  AgentHome home(own, {});
  if (const auto last = last_epoch(folder, epoch)) {
    const std::filesystem::path before = folder / std::to_string(*last);
    home.session_ = session_in(before);
    if (io::file_kind(before / "home") == io::FileKind::kDirectory) {
      CLEVER_TRY(sandbox::copy_layer(before / "home", own / "home", stop)
                     .context("copying the agent's home"));
    }
  }
  CLEVER_TRY(home.save(home.session_));
  return home;
}

base::Result<void> AgentHome::save(AgentSession session) {
  session_ = std::move(session);
  Document document = Document::map();
  document.set("id", session_.id);
  document.set("step", session_.step);
  document.set("base", session_.base);
  document.set("tree", session_.tree);
  document.set("layer", session_.layer);
  document.set("prompts", session_.prompts);
  document.set("answers", session_.answers);
  document.set("input_tokens", session_.input_tokens);
  document.set("output_tokens", session_.output_tokens);
  return io::write_file_atomically(folder_ / kSessionFile, model::to_json(document) + "\n");
}

base::Result<void> AgentHome::write_settings(const AgentProgram& program, bool logged_in) const {
  CLEVER_ASSIGN(const io::Directory home, io::Directory::open(path()));
  for (const AgentSettings& settings : program.settings) {
    const bool wanted = settings.when == AgentSettings::When::kAlways ||
                        (settings.when == AgentSettings::When::kWithLogin) == logged_in;
    if (wanted) CLEVER_TRY(put_private_file(home, below_home(settings.file), settings.content));
  }
  return {};
}

base::Result<void> AgentHome::copy_in(const std::filesystem::path& from, const std::string& name,
                                      const base::StopToken& stop) const {
  CLEVER_ASSIGN(const io::Directory home, io::Directory::open(path()));
  // Refuses a link that the agent put on the path.
  const auto there = home.facts(name);
  if (there.ok()) return {};
  if (there.error().code() != base::ErrorCode::kNotFound) return there.error();
  const std::filesystem::path to = path() / name;
  if (io::file_kind(from) == io::FileKind::kDirectory) {
    return sandbox::copy_layer(from, to, stop).context("copying " + from.string());
  }
  constexpr std::size_t kLargestFile = std::size_t{64} << 20U;
  CLEVER_ASSIGN(const std::string content, io::read_file(from, kLargestFile));
  return put_private_file(home, name, content);
}

}  // namespace clever::engine
