#pragma once
// What the commands on actions, actors, tools and skills share. Private to the module.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor/tool_actor.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/report.h"

namespace clever::service {

/// The folders in which definitions lie: `home`/WORD and the project's .cleveragents/WORD.
struct DefinitionFolders {
  std::filesystem::path project_root{};
  std::filesystem::path home{};
  std::filesystem::path project{};
};
[[nodiscard]] base::Result<DefinitionFolders> definition_folders(Context& context,
                                                                 std::string_view word);

/// "built in", "yours" or "project".
[[nodiscard]] std::string owner_of(const std::string& place, const DefinitionFolders& folders);

/// One line of a list.
struct DefinitionRow {
  std::string name{};
  std::string type{};
  std::string description{};
  std::string owner{};
  std::string place{};
};
/// `key` is "actions"; problems become warnings.
[[nodiscard]] Report list_report(std::string_view key, const std::vector<DefinitionRow>& rows,
                                 const std::vector<std::string>& problems = {});

[[nodiscard]] Document arguments_document(const std::vector<engine::ActorArgument>& arguments);
[[nodiscard]] Table arguments_table(const std::vector<engine::ActorArgument>& arguments);

/// Fields of a definition, in both forms; empty values are left out of what people see.
class Shown {
 public:
  explicit Shown(std::string title) : fields_{std::move(title), {}} {}
  Shown& add(std::string_view name, const std::string& value);
  Shown& add(std::string_view name, const std::vector<std::string>& values);
  Shown& add(std::string_view name, bool value);
  [[nodiscard]] Report report() &&;

 private:
  Fields fields_;
  Document data_ = Document::map();
};

/// FILE of an add command: its text, `-` for the standard input. `name` is for messages.
struct GivenFile {
  std::string name{};
  std::string text{};
};
[[nodiscard]] base::Result<GivenFile> read_given(const std::string& word, Context& context);

/// "local/claude" → "claude"; a name of another owner stays.
[[nodiscard]] std::string short_actor_name(const std::string& name);
/// "local/add-tests" → "add-tests.yaml".
[[nodiscard]] std::string file_name_of(std::string_view name);

/// Writes a new file, never over one that is there (`already_exists`): `word` is "action".
[[nodiscard]] base::Result<Report> write_definition(const std::filesystem::path& file,
                                                    const std::string& text, std::string_view word,
                                                    const std::string& name, Context& context);
/// Removes the file of a definition; one that is built in cannot be.
[[nodiscard]] base::Result<Report> remove_definition(const std::filesystem::path& file,
                                                     std::string_view word, const std::string& name,
                                                     Context& context);

/// --argument NAME[:TYPE][=DEFAULT] of add commands, as a list for YAML; TYPE may be a|b|c.
[[nodiscard]] base::Result<Document> argument_list(const Invocation& invocation);
[[nodiscard]] Option argument_option();

/// An error of a file that was named on the command line: the command line is right.
[[nodiscard]] base::Error blame(const base::Error& error);

/// Either a file, or what the flags say: `invalid_argument` for both or neither.
[[nodiscard]] base::Result<void> check_source(const Invocation& invocation,
                                              const std::vector<std::string_view>& flags);

}  // namespace clever::service
