#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::clobber {

struct ModelFile {
  std::string content;
  bool executable = false;
  bool link = false;

  friend bool operator==(const ModelFile&, const ModelFile&) = default;
};

/// What the files of a workspace must be: a map, and the rules of a tree said as plainly as
/// possible. Each change says whether it is possible, and makes it if so.
class Model {
 public:
  Model() = default;
  explicit Model(std::map<std::string, ModelFile> files) : files_(std::move(files)) {}

  [[nodiscard]] const std::map<std::string, ModelFile>& files() const { return files_; }
  [[nodiscard]] const ModelFile* find(const std::string& path) const;
  [[nodiscard]] bool is_folder(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> paths() const;

  bool write(const std::string& path, const std::string& content);
  bool write_link(const std::string& path, const std::string& target);
  bool replace(const std::string& path, const std::string& from, const std::string& to);
  bool set_executable(const std::string& path, bool executable);
  bool remove(const std::string& path);
  bool move(const std::string& from, const std::string& to);
  /// As `rm -rf` and then `mkdir -p` and `>`: whatever is in the way gives way.
  void force(const std::string& path, const std::string& content);

 private:
  [[nodiscard]] bool has_file_above(const std::string& path) const;

  std::map<std::string, ModelFile> files_;
};

}  // namespace clever::clobber
