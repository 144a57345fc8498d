#include "service/definitions/definitions.h"

#include <algorithm>

#include "git/project.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_names.h"
#include "service/commands/config.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kLargestDefinition = std::size_t{1} << 20U;

bool is_in(const std::string& place, const std::filesystem::path& folder) {
  return place.starts_with(folder.string() + "/");
}

}  // namespace

base::Result<DefinitionFolders> definition_folders(Context& context, std::string_view word) {
  CLEVER_ASSIGN(const git::Project project, context.project());
  return DefinitionFolders{.project_root = project.root,
                           .home = context.home() / word,
                           .project = project.root / ".cleveragents" / word};
}

std::string owner_of(const std::string& place, const DefinitionFolders& folders) {
  if (place.empty()) return "built in";
  return is_in(place, folders.home) ? "yours" : "project";
}

Report list_report(std::string_view key, const std::vector<DefinitionRow>& rows,
                   const std::vector<std::string>& problems) {
  Report report;
  Document list = Document::list();
  Table table{"", {"name", "type", "from", "description"}, {}};
  for (const DefinitionRow& row : rows) {
    list.push(Document::map()
                  .set("name", row.name)
                  .set("type", row.type)
                  .set("from", row.owner)
                  .set("place", row.place)
                  .set("description", row.description));
    std::string line = row.description.substr(0, row.description.find('\n'));
    table.rows.push_back(
        {{row.name, Tone::kStrong}, {row.type}, {row.owner, Tone::kDim}, {std::move(line)}});
  }
  report.data.set(key, std::move(list));
  if (rows.empty()) {
    report.view = {Prose{{{{"There are no " + std::string(key) + "."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  for (const std::string& problem : problems) report.warn(problem);
  return report;
}

Document arguments_document(const std::vector<engine::ActorArgument>& arguments) {
  Document list = Document::list();
  for (const engine::ActorArgument& argument : arguments) {
    Document entry = Document::map()
                         .set("name", argument.name)
                         .set("type", to_string(argument.type))
                         .set("required", argument.required)
                         .set("default", argument.default_value)
                         .set("description", argument.description);
    if (!argument.choices.empty()) {
      Document choices = Document::list();
      for (const std::string& choice : argument.choices) choices.push(choice);
      entry.set("choices", std::move(choices));
    }
    list.push(std::move(entry));
  }
  return list;
}

Table arguments_table(const std::vector<engine::ActorArgument>& arguments) {
  Table table{"arguments", {"name", "type", "default", "description"}, {}};
  for (const engine::ActorArgument& argument : arguments) {
    std::string type(to_string(argument.type));
    for (std::size_t i = 0; i < argument.choices.size(); ++i) {
      type += (i == 0 ? " " : "|") + argument.choices[i];
    }
    table.rows.push_back({{argument.name, Tone::kStrong},
                          {std::move(type)},
                          argument.required
                              ? Span{"required", Tone::kWarn}
                              : Span{argument.default_value.empty() ? "-" : argument.default_value},
                          {argument.description}});
  }
  return table;
}

Shown& Shown::add(std::string_view name, const std::string& value) {
  data_.set(name, value);
  if (!value.empty()) fields_.fields.push_back({std::string(name), {value}});
  return *this;
}

Shown& Shown::add(std::string_view name, const std::vector<std::string>& values) {
  Document list = Document::list();
  std::string all;
  for (const std::string& value : values) {
    list.push(value);
    all += (all.empty() ? "" : ", ") + value;
  }
  data_.set(name, std::move(list));
  if (!all.empty()) fields_.fields.push_back({std::string(name), {all}});
  return *this;
}

Shown& Shown::add(std::string_view name, bool value) {
  data_.set(name, value);
  fields_.fields.push_back({std::string(name), {value ? "yes" : "no"}});
  return *this;
}

Report Shown::report() && {
  Report report;
  report.data = std::move(data_);
  report.view = {std::move(fields_)};
  return report;
}

base::Result<GivenFile> read_given(const std::string& word, Context& context) {
  if (word == "-") {
    CLEVER_ASSIGN(std::string text, context.input());
    return GivenFile{"standard input", std::move(text)};
  }
  CLEVER_ASSIGN(std::string text, io::read_file(context.directory() / word, kLargestDefinition));
  return GivenFile{word, std::move(text)};
}

std::string short_actor_name(const std::string& name) {
  constexpr std::string_view kLocal = "local/";
  return name.starts_with(kLocal) ? name.substr(kLocal.size()) : name;
}

std::string file_name_of(std::string_view name) {
  std::string file = short_actor_name(std::string(name));
  std::ranges::replace(file, '/', '.');
  return file + ".yaml";
}

base::Result<Report> write_definition(const std::filesystem::path& file, const std::string& text,
                                      std::string_view word, const std::string& name,
                                      Context& context) {
  constexpr mode_t kFile = 0644;
  constexpr mode_t kFolder = 0755;
  CLEVER_TRY(io::make_directories(file.parent_path(), kFolder));
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(file.parent_path()));
  const auto written = folder.create_file(file.filename().string(), text, kFile);
  if (!written.ok() && written.error().code() == base::ErrorCode::kAlreadyExists) {
    return base::already_exists(file.string() +
                                " already exists; remove it first, or choose another name");
  }
  CLEVER_TRY(written);
  Report report;
  report.data.set("name", name).set("file", file.string());
  report.view = {Prose{{{{"added", Tone::kGood},
                         {" the " + std::string(word) + " "},
                         {name, Tone::kStrong},
                         {" as " + short_path(file, context), Tone::kDim}}}}};
  return report;
}

base::Result<Report> remove_definition(const std::filesystem::path& file, std::string_view word,
                                       const std::string& name, Context& context) {
  if (file.empty()) {
    return base::invalid_argument("the " + std::string(word) + " " + name +
                                  " is built in and cannot be removed");
  }
  CLEVER_TRY(io::remove_file(file));
  Report report;
  report.data.set("name", name).set("file", file.string()).set("removed", true);
  report.view = {Prose{{{{"removed the " + std::string(word) + " "},
                         {name, Tone::kStrong},
                         {": " + short_path(file, context), Tone::kDim}}}}};
  return report;
}

base::Result<Document> argument_list(const Invocation& invocation) {
  Document list = Document::list();
  for (const std::string& text : invocation.values("argument")) {
    const std::size_t equals = text.find('=');
    const std::string head = text.substr(0, equals);
    const std::size_t colon = head.find(':');
    const std::string name = head.substr(0, colon);
    if (name.empty()) {
      return base::invalid_argument("--argument: expected NAME[:TYPE][=DEFAULT], not " +
                                    in_quotes(text));
    }
    Document entry = Document::map().set("name", name);
    const std::string type = colon == std::string::npos ? "string" : head.substr(colon + 1);
    if (type.contains('|')) {
      Document choices = Document::list();
      for (std::size_t at = 0; at <= type.size();) {
        const std::size_t end = std::min(type.find('|', at), type.size());
        choices.push(type.substr(at, end - at));
        at = end + 1;
      }
      entry.set("type", "choice").set("choices", std::move(choices));
    } else {
      entry.set("type", type);
    }
    if (equals == std::string::npos) {
      entry.set("required", true);
    } else {
      entry.set("default", text.substr(equals + 1));
    }
    list.push(std::move(entry));
  }
  return list;
}

Option argument_option() {
  return {.name = "argument",
          .value = "NAME[:TYPE][=DEFAULT]",
          .summary =
              "One it takes; TYPE is string, integer, number, boolean, path or a|b|c; may "
              "be repeated",
          .repeated = true};
}

base::Error blame(const base::Error& error) {
  return error.code() == base::ErrorCode::kInvalidArgument ? blame_file(error) : error;
}

base::Result<void> check_source(const Invocation& invocation,
                                const std::vector<std::string_view>& flags) {
  const bool has_file = !invocation.words().empty();
  for (const std::string_view flag : flags) {
    if (has_file && invocation.flag(flag)) {
      return base::invalid_argument("--" + std::string(flag) +
                                    " and a FILE exclude each other: put it into the file");
    }
  }
  if (has_file || invocation.flag("name")) return {};
  return base::invalid_argument(
      "expected a FILE to add (- reads the standard input), or --name and what it is");
}

}  // namespace clever::service
