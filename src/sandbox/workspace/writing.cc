#include <algorithm>
#include <utility>

#include "git/project_group.h"
#include "sandbox/workspace/internal/overlay_workspace.h"
#include "sandbox/workspace/internal/replace_text.h"

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::printable;
using git::TreePath;

base::Error is_a_folder(const TreePath& path) {
  return base::invalid_argument(printable(path.text()) + " is a folder");
}

base::Error is_a_submodule(const std::string& path) {
  return base::permission_denied(printable(path) +
                                 " is a submodule, which is read-only here; change it in its own "
                                 "repository");
}

}  // namespace

base::Result<void> OverlayWorkspace::check_size(std::size_t size) const {
  if (size <= options_.largest_file) return {};
  return base::resource_exhausted("the content has " + std::to_string(size) +
                                  " bytes; a file may have at most " +
                                  std::to_string(options_.largest_file));
}

// Beside the projects of a group there is nothing that could land.
base::Result<void> OverlayWorkspace::check_in_project(const TreePath& path) const {
  if (options_.project == nullptr || options_.project->members.empty()) return {};
  if (git::member_path(*options_.project, path.text())) return {};
  std::string names;
  for (const git::Project& member : options_.project->members) {
    names += (names.empty() ? "" : ", ") + printable(member.name) + "/";
  }
  return base::permission_denied(printable(path.text()) +
                                 " lies in none of the plan's projects: write below " + names);
}

base::Result<void> OverlayWorkspace::check_writable(const TreePath& path) const {
  if (is_hidden(path)) return hidden_file(path);
  CLEVER_TRY(check_in_project(path));
  if (!std::ranges::binary_search(options_.base->filtered, path)) return {};
  return base::permission_denied(printable(path.text()) +
                                 " is read-only here: an external filter of the repository "
                                 "(.gitattributes) makes its content");
}

base::Result<Place> OverlayWorkspace::place_to_write(const Layers& layers, const TreePath& path,
                                                     LastLink last) const {
  CLEVER_ASSIGN(Place place, locate(*options_.store, layers, options_.project_root, path, last));
  if (place.node && place.node->mode == FileMode::kSubmodule) {
    return is_a_submodule(place.path.text());
  }
  CLEVER_TRY(check_writable(place.path));
  return place;
}

base::Result<void> OverlayWorkspace::put(const TreePath& path, const Node& node) {
  Layers layers = *current();
  CLEVER_TRY(set(*options_.store, layers, path, node));
  publish(std::move(layers));
  return {};
}

base::Result<void> OverlayWorkspace::write(const TreePath& path, std::string_view content) {
  CLEVER_TRY(check_size(content.size()));
  CLEVER_ASSIGN(const git::ObjectId id, options_.store->put(git::ObjectKind::kBlob, content));
  const auto turn = turn_.take();
  CLEVER_ASSIGN(const Place place, place_to_write(*current(), path, LastLink::kFollow));
  if (place.node && is_folder(*place.node)) return is_a_folder(place.path);
  return put(place.path, {place.node ? place.node->mode : FileMode::kFile, id});
}

base::Result<std::size_t> OverlayWorkspace::edit(const TreePath& path, std::string_view old_text,
                                                 std::string_view new_text, bool replace_all) {
  const auto turn = turn_.take();
  const Shared layers = current();
  CLEVER_ASSIGN(const Place place, place_to_read(*layers, path));
  if (!place.node) return missing(*layers, place.path);
  CLEVER_ASSIGN(const FileContent file, content_of(place, path));
  CLEVER_TRY(check_writable(place.path));
  CLEVER_ASSIGN(const Replaced replaced,
                replace_text(file.content, old_text, new_text, replace_all, options_.largest_file)
                    .context("editing " + printable(path.text())));
  CLEVER_ASSIGN(const git::ObjectId id,
                options_.store->put(git::ObjectKind::kBlob, replaced.content));
  CLEVER_TRY(put(place.path, {place.node->mode, id}));
  return replaced.count;
}

base::Result<void> OverlayWorkspace::remove(const TreePath& path) {
  const auto turn = turn_.take();
  Layers layers = *current();
  CLEVER_ASSIGN(const Place place, place_to_write(layers, path, LastLink::kKeep));
  if (!place.node) return missing(layers, place.path);
  CLEVER_ASSIGN(const Files files, files_at(*options_.store, layers, place.path));
  for (const auto& [file, node] : files) {
    if (node.mode == FileMode::kSubmodule) return is_a_submodule(file);
    CLEVER_ASSIGN(const TreePath file_path, TreePath::parse(file));
    CLEVER_TRY(check_writable(file_path));
    CLEVER_TRY(set(*options_.store, layers, file_path, std::nullopt));
  }
  publish(std::move(layers));
  return {};
}

base::Result<void> OverlayWorkspace::move_files(Layers& layers, const TreePath& from,
                                                const TreePath& to) {
  CLEVER_ASSIGN(const Files files, files_at(*options_.store, layers, from));
  for (const auto& [file, node] : files) {
    if (node.mode == FileMode::kSubmodule) return is_a_submodule(file);
    CLEVER_ASSIGN(const TreePath old_path, TreePath::parse(file));
    CLEVER_ASSIGN(const TreePath new_path,
                  TreePath::parse(to.text() + file.substr(from.text().size())));
    CLEVER_TRY(check_writable(old_path));
    CLEVER_TRY(set(*options_.store, layers, old_path, std::nullopt));
    CLEVER_TRY(set(*options_.store, layers, new_path, node));
  }
  return {};
}

base::Result<void> OverlayWorkspace::move(const TreePath& from, const TreePath& to) {
  const auto turn = turn_.take();
  Layers layers = *current();
  CLEVER_ASSIGN(const Place source, place_to_write(layers, from, LastLink::kKeep));
  if (!source.node) return missing(layers, source.path);
  CLEVER_ASSIGN(const Place target, place_to_write(layers, to, LastLink::kKeep));
  if (target.path.is_below(source.path)) {
    return base::invalid_argument(printable(from.text()) + " cannot be moved into itself");
  }
  if (target.node) {
    return base::already_exists("a file or folder exists at " + printable(target.path.text()) +
                                "; remove it first, or choose another name");
  }
  CLEVER_TRY(move_files(layers, source.path, target.path));
  publish(std::move(layers));
  return {};
}

base::Result<void> OverlayWorkspace::set_executable(const TreePath& path, bool executable) {
  const auto turn = turn_.take();
  const Shared layers = current();
  CLEVER_ASSIGN(const Place place, place_to_write(*layers, path, LastLink::kFollow));
  if (!place.node) return missing(*layers, place.path);
  if (is_folder(*place.node)) return is_a_folder(place.path);
  return put(place.path, {executable ? FileMode::kExecutable : FileMode::kFile, place.node->id});
}

base::Result<void> OverlayWorkspace::write_link(const TreePath& path, std::string_view target) {
  if (target.empty() || target.contains('\0') || target.size() > TreePath::kLongest) {
    return base::invalid_argument(
        "a link's target has at least one byte, at most 4095, and no NUL");
  }
  CLEVER_ASSIGN(const git::ObjectId id, options_.store->put(git::ObjectKind::kBlob, target));
  const auto turn = turn_.take();
  CLEVER_ASSIGN(const Place place, place_to_write(*current(), path, LastLink::kKeep));
  if (place.node && is_folder(*place.node)) return is_a_folder(place.path);
  return put(place.path, {FileMode::kLink, id});
}

}  // namespace clever::sandbox::internal
