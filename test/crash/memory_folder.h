#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace clever::storage::crash {

/// A folder of its own for one test, removed with everything in it; in memory where there is such a
/// place. What a killed process has written is there all the same, and syncing costs nothing: a
/// thousand deaths take seconds.
class MemoryFolder {
 public:
  MemoryFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK | X_OK) == 0;
    std::string name =
        ((usable ? memory : std::filesystem::temp_directory_path()) / "clever-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~MemoryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace clever::storage::crash
