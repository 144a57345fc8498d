#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/process.h"
#include "support/model_server.h"
#include "support/repository.h"

namespace clever::engine::crash {

/// A repository of so many pages, a model that has each of them signed by a subplan of its own, and
/// people who run `agents` there, each from a home of their own.
///
/// Signing appends a line by replacing the first one: done twice, it leaves two lines.
class Book {
 public:
  static constexpr std::size_t kPages = 16;
  /// What a run may cost; its model has a price.
  static constexpr const char* kBudget = "3";

  Book();
  /// With a model that does something else.
  explicit Book(const std::string& script);

  /// A home whose settings name the model. Nothing is in it yet.
  [[nodiscard]] std::filesystem::path new_home(const std::string& name) const;

  /// What `agents` is started with in the repository.
  [[nodiscard]] io::ProcessOptions agents(const std::filesystem::path& home,
                                          std::vector<std::string> arguments) const;
  [[nodiscard]] static std::vector<std::string> run_arguments();

  [[nodiscard]] const test::Repository& repository() const { return repository_; }
  [[nodiscard]] test::ModelServer& server() { return *server_; }

 private:
  test::Repository repository_;
  std::unique_ptr<test::ModelServer> server_;
};

/// Which page a request is about, 0 for the plan above them, and which answer it asks for.
struct Question {
  std::size_t page = 0;
  std::size_t turn = 1;
};
[[nodiscard]] Question question_of(const provider::ModelRequest& request);

}  // namespace clever::engine::crash
