#include "service/access/projects.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/text.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "model/document_json.h"
#include "service/text.h"
#include "service/wire/wire_document.h"
#include "storage/audit_log.h"

namespace clever::service {
namespace {

using model::Document;

constexpr std::size_t kLongestProjectId = 40;

// Turns "My Project" into "my-project".
std::string project_id_for(const std::filesystem::path& path) {
  std::string id;
  for (const char c : base::lower_case(path.filename().string())) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (plain) {
      id += c;
    } else if (!id.empty() && !id.ends_with('-')) {
      id += '-';
    }
  }
  id = id.substr(0, kLongestProjectId);
  while (id.ends_with('-') || id.ends_with('.')) id.pop_back();
  while (id.starts_with('.')) id.erase(0, 1);
  return id.empty() ? "project" : id;
}

std::string unused_project_id(const std::filesystem::path& path,
                              const std::vector<RegisteredProject>& known) {
  const std::string name = project_id_for(path);
  std::string id = name;
  for (int number = 2; std::ranges::count(known, id, &RegisteredProject::id) > 0; ++number) {
    id = name + "-" + std::to_string(number);
  }
  return id;
}

base::Result<std::vector<RegisteredProject>> parsed_projects(const std::string& text) {
  CLEVER_ASSIGN(const Document document, model::parse_document(text));
  const Document* projects = document.find("projects");
  const auto* list =
      projects == nullptr ? nullptr : std::get_if<Document::List>(&projects->value());
  if (list == nullptr) return base::corruption("the list of projects is missing");
  std::vector<RegisteredProject> all;
  for (const Document& entry : *list) {
    RegisteredProject project{text_at(entry, "id"), bytes_at(entry, "path")};
    const std::string space = text_at(entry, "namespace");
    if (!space.empty()) project.space = space;
    if (project.id.empty() || project.path.empty()) {
      return base::corruption("a project has no id or no path");
    }
    all.push_back(std::move(project));
  }
  return all;
}

std::string project_names(const std::vector<RegisteredProject>& projects) {
  std::vector<std::string> ids;
  for (const RegisteredProject& project : projects) ids.push_back(project.id);
  return ids.empty() ? std::string("none is registered: `agents project add` registers one")
                     : "there are " + base::joined(ids);
}

}  // namespace

Document document_of(const RegisteredProject& project) {
  return Document::map()
      .set("id", project.id)
      .set("path", bytes_document(project.path.native()))
      .set("namespace", project.space);
}

base::Result<std::vector<RegisteredProject>> Projects::all() const {
  const auto text = io::read_file(file());
  if (!text.ok() && text.error().code() == base::ErrorCode::kNotFound) {
    return std::vector<RegisteredProject>();
  }
  if (!text.ok()) return text.error();
  auto projects = parsed_projects(*text);
  if (projects.ok()) return projects;
  return base::corruption(file().string() + ": " + projects.error().sentence());
}

base::Result<std::vector<RegisteredProject>> Projects::list(const Caller& caller) const {
  CLEVER_ASSIGN(auto projects, all());
  std::erase_if(projects, [&](const RegisteredProject& project) {
    return !caller.sees_namespace(project.space);
  });
  return projects;
}

base::Result<RegisteredProject> Projects::find(const Caller& caller, const std::string& id) const {
  CLEVER_ASSIGN(const auto all, list(caller));
  const auto found = std::ranges::find(all, id, &RegisteredProject::id);
  if (found != all.end()) return *found;
  return base::not_found("there is no project " + in_quotes(id) + "; " + project_names(all));
}

base::Result<RegisteredProject> Projects::only(const Caller& caller) const {
  CLEVER_ASSIGN(const auto all, list(caller));
  if (all.size() == 1) return all.front();
  return base::invalid_argument("projects: name one of them: " + project_names(all));
}

base::Result<RegisteredProject> Projects::add(const std::filesystem::path& path,
                                              const std::string& space,
                                              const base::StopToken& stop) const {
  CLEVER_ASSIGN(const io::FileLock lock, locked(stop));
  CLEVER_ASSIGN(auto projects, all());
  const auto known = std::ranges::find(projects, path, &RegisteredProject::path);
  if (known != projects.end()) {
    if (space.empty() || space == known->space) return *known;
    return base::conflict("it is registered in the namespace " + in_quotes(known->space));
  }
  RegisteredProject project{unused_project_id(path, projects), path};
  if (!space.empty()) project.space = space;
  projects.push_back(project);
  CLEVER_TRY(write(projects));
  return project;
}

base::Result<bool> Projects::remove(const std::filesystem::path& path,
                                    const base::StopToken& stop) const {
  CLEVER_ASSIGN(auto projects, all());
  const auto is_it = [&path](const RegisteredProject& project) { return project.path == path; };
  if (std::ranges::none_of(projects, is_it)) return false;
  CLEVER_ASSIGN(const io::FileLock lock, locked(stop));
  CLEVER_ASSIGN(projects, all());
  const bool was_there = std::erase_if(projects, is_it) > 0;
  CLEVER_TRY(write(projects));
  return was_there;
}

base::Result<io::FileLock> Projects::locked(const base::StopToken& stop) const {
  CLEVER_TRY(io::make_directories(file().parent_path()));
  return io::FileLock::acquire(home_ / "server" / "projects.lock", stop, base::Deadline::never());
}

base::Result<void> Projects::write(const std::vector<RegisteredProject>& projects) const {
  Document entries = Document::list();
  for (const RegisteredProject& each : projects) entries.push(document_of(each));
  const Document document = Document::map().set("projects", std::move(entries));
  return io::write_file_atomically(file(), model::to_json(document) + "\n");
}

base::Result<void> note_project(const AccessDesk& desk, std::string_view action,
                                const RegisteredProject& project) {
  CLEVER_TRY(storage::AuditLog(desk.engine, desk.clock)
                 .append({.caller = desk.caller.name,
                          .action = std::string(action),
                          .target = project.id,
                          .outcome = "done",
                          .detail = project.space + ": " + project.path.string()},
                         {}, desk.stop));
  return {};
}

}  // namespace clever::service
