#include "service/diff/editor.h"

#include <filesystem>

#include "base/random.h"
#include "base/ulid.h"
#include "diff/text_diff.h"
#include "io/file.h"

namespace clever::service {
namespace {

constexpr std::string_view kDefault = "vi";

std::string editor_of(const io::Environment& environment) {
  for (const std::string_view name : {"VISUAL", "EDITOR"}) {
    const auto chosen = environment.value(name);
    if (chosen && chosen->find_first_not_of(" \t") != std::string::npos) return *chosen;
  }
  return std::string(kDefault);
}

/// A folder for the file in the editor; the destructor removes it.
class EditFolder {
 public:
  static base::Result<EditFolder> make(const Context& context) {
    base::SystemRandom random;
    const std::string id = base::UlidGenerator(context.clock(), random).next().to_string();
    std::filesystem::path folder = context.home() / "edits" / id;
    CLEVER_TRY(io::make_directories(folder));
    return EditFolder(std::move(folder));
  }
  ~EditFolder() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  EditFolder(EditFolder&& other) noexcept : folder_(std::move(other.folder_)) {
    other.folder_.clear();
  }
  EditFolder(const EditFolder&) = delete;
  EditFolder& operator=(const EditFolder&) = delete;
  EditFolder& operator=(EditFolder&&) = delete;

  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return folder_ / std::filesystem::path(name).filename();
  }

 private:
  explicit EditFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

bool has_marker(std::string_view text) {
  return text.starts_with("<<<<<<< ") || text.find("\n<<<<<<< ") != std::string_view::npos;
}

base::Result<void> check_edited(const std::string& text) {
  if (diff::is_binary(text)) {
    return base::invalid_argument("your text contains a NUL byte");
  }
  if (has_marker(text)) {
    return base::invalid_argument("your text still contains conflict markers (<<<<<<<)");
  }
  return {};
}

}  // namespace

base::Result<std::string> text_from_editor(const std::string& name, const std::string& content,
                                           const Context& context, const Screen::Foreground& run) {
  if (!run) return base::unavailable("an editor needs a terminal, and there is none");
  CLEVER_ASSIGN(const EditFolder folder, EditFolder::make(context));
  const std::filesystem::path file = folder.file(name);
  CLEVER_TRY(io::write_file_atomically(file, content));
  const std::string editor = editor_of(context.environment());
  CLEVER_ASSIGN(const int code, run({.argv = {"sh", "-c", editor + " \"$@\"", "sh", file.string()},
                                     .environment = context.environment_lines()}));
  if (code != 0) {
    return base::unavailable("the editor (" + editor + ") ended with exit code " +
                             std::to_string(code) +
                             ": nothing was changed; set VISUAL or EDITOR to use another");
  }
  return io::read_file(file);
}

base::Result<std::optional<std::string>> edited_text(const std::string& name,
                                                     const std::string& content, Context& context,
                                                     const Screen::Foreground& run) {
  CLEVER_ASSIGN(std::string text, text_from_editor(name, content, context, run));
  if (text == content) return std::optional<std::string>();
  CLEVER_TRY(check_edited(text));
  return std::optional(std::move(text));
}

}  // namespace clever::service
