#pragma once
#include <sys/types.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "apply/internal/journal.h"
#include "apply/internal/repository.h"
#include "base/result.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// The operations of an apply, determined without changing anything.
struct Prepared {
  /// If either is set, the changes do not fit the present files.
  std::vector<MovedOn> moved_on{};
  std::string refusal{};

  /// In the order of the changes; `after` is known once the new files are staged.
  std::vector<Operation> operations{};
  /// The present permission bits for each operation; 0 for missing files.
  std::vector<mode_t> modes{};
  std::vector<std::string> made_folders{};
  std::vector<EmptiedFolder> emptied_folders{};
  /// The touched paths in git's index.
  Entries index{};

  bool commit = false;
  bool sign = false;
  std::string no_commit_reason{};
  std::string parent{};     // empty: none
  std::string reference{};  // where the commit goes
  bool new_branch = false;  // the reference is created

  [[nodiscard]] bool fits() const { return moved_on.empty() && refusal.empty(); }
};

/// Compares the changeset's base with the present files.
///
/// Used once, by one thread, which holds the project's lock; all its references must outlive it.
class Preparation {
 public:
  /// `repository` is null for a plain folder. `branch`: the commit goes onto that existing branch
  /// (to undo an apply to a branch), and the files are compared with it.
  Preparation(const Request& request, const io::Directory& root, const Repository* repository,
              std::optional<std::string> branch)
      : request_(request), root_(root), repository_(repository), branch_(std::move(branch)) {}

  /// `conflict` while the user has a rebase, merge … in progress.
  [[nodiscard]] base::Result<Prepared> run();
  /// Whether HEAD and the index are unchanged; call it under git's lock, since they were read
  /// without it.
  [[nodiscard]] base::Result<bool> still_holds(const Prepared& found);

 private:
  base::Result<void> look_at_head();
  base::Result<void> look_at_branch();
  base::Result<void> look_at_files();
  base::Result<void> look_at_file(const model::NetChange& change);
  [[nodiscard]] base::Result<std::optional<std::string>> why_not(const model::NetChange& change,
                                                                 const Image& present) const;
  [[nodiscard]] base::Result<bool> has_content(const model::NetChange& change,
                                               const Image& present) const;
  base::Result<void> look_above(const model::NetChange& change);
  base::Result<void> look_at_folder_above(const std::string& folder,
                                          const model::NetChange& change);
  base::Result<void> look_at_repository();
  void look_at_tree_entry(const model::NetChange& change, const Entries& tree);
  [[nodiscard]] bool is_removed(std::string_view path) const;
  [[nodiscard]] bool removes_below(std::string_view folder) const;
  [[nodiscard]] std::set<std::string> touched() const;
  [[nodiscard]] std::set<std::string> touched_and_above() const;
  void move_on(const std::string& path, std::string why) {
    prepared_.moved_on.push_back({path, std::move(why)});
  }

  const Request& request_;
  const io::Directory& root_;
  const Repository* repository_;
  std::optional<std::string> branch_;
  bool trust_modes_ = true;
  std::set<std::string> made_{};
  std::set<std::string> emptied_{};
  Prepared prepared_{};
};

}  // namespace clever::apply::internal
