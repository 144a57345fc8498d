#include "clobber/model.h"

#include <utility>

namespace clever::clobber {

const ModelFile* Model::find(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

bool Model::is_folder(const std::string& path) const {
  const auto below = files_.lower_bound(path + "/");
  return below != files_.end() && below->first.starts_with(path + "/");
}

bool Model::has_file_above(const std::string& path) const {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (files_.contains(path.substr(0, slash))) return true;
  }
  return false;
}

std::vector<std::string> Model::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, file] : files_) paths.push_back(path);
  return paths;
}

bool Model::write(const std::string& path, const std::string& content) {
  if (is_folder(path) || has_file_above(path)) return false;
  files_[path].content = content;
  return true;
}

bool Model::write_link(const std::string& path, const std::string& target) {
  if (is_folder(path) || has_file_above(path)) return false;
  files_[path] = {.content = target, .link = true};
  return true;
}

bool Model::replace(const std::string& path, const std::string& from, const std::string& to) {
  const auto found = files_.find(path);
  if (found == files_.end()) return false;
  std::string& content = found->second.content;
  const std::size_t at = content.find(from);
  if (at == std::string::npos || content.find(from, at + 1) != std::string::npos) return false;
  content.replace(at, from.size(), to);
  return true;
}

bool Model::set_executable(const std::string& path, bool executable) {
  const auto found = files_.find(path);
  if (found == files_.end()) return false;
  found->second.executable = executable;
  return true;
}

bool Model::remove(const std::string& path) {
  return std::erase_if(files_, [&](const auto& file) {
           return file.first == path || file.first.starts_with(path + "/");
         }) > 0;
}

bool Model::move(const std::string& from, const std::string& to) {
  const bool there = files_.contains(from) || is_folder(from);
  const bool free = !files_.contains(to) && !is_folder(to) && !has_file_above(to);
  if (!there || !free || to.starts_with(from + "/")) return false;
  std::map<std::string, ModelFile> moved;
  for (auto& [path, file] : files_) {
    const bool part = path == from || path.starts_with(from + "/");
    moved[part ? to + path.substr(from.size()) : path] = std::move(file);
  }
  files_ = std::move(moved);
  return true;
}

void Model::force(const std::string& path, const std::string& content) {
  remove(path);
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    files_.erase(path.substr(0, slash));
  }
  files_[path] = {.content = content};
}

}  // namespace clever::clobber
