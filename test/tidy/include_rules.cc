// Who may include what: layers, internal/ folders, cycles.
#include <algorithm>
#include <map>

#include "tidy/rules.h"

namespace clever::tidy {
namespace {

std::string folder_of(std::string_view target) {
  const std::size_t end = target.find('/');
  return std::string(end == std::string_view::npos ? "" : target.substr(0, end));
}

bool is_internal(std::string_view target) { return target.find("/internal/") != std::string::npos; }

bool is_testing(std::string_view target) { return target.contains("/testing/"); }

bool has_folder(const Tree& tree, const std::string& folder) {
  const auto found = std::ranges::lower_bound(tree.files, folder + "/", {}, &File::path);
  return found != tree.files.end() && found->in(folder);
}

class LayerCheck {
 public:
  LayerCheck(const Tree& tree, Findings& findings) : tree_(tree), findings_(findings) {}

  void check_module(const Module& module) {
    const std::string path = "src/" + module.name + "/CMakeLists.txt";
    if (module.order == 0) {
      findings_.push_back({path, 1, "layer", "src/CMakeLists.txt does not list " + module.name,
                           "add add_subdirectory(" + module.name + ") below what it uses"});
    }
    for (const std::string& used : module.uses) {
      const auto found = tree_.modules.find(used);
      if (found == tree_.modules.end()) {
        findings_.push_back({path, module.line, "layer", "USES " + used + ", which is no module",
                             "name a folder of src/"});
      } else if (module.order != 0 && found->second.order >= module.order) {
        findings_.push_back(
            {path, module.line, "layer", module.name + " uses " + used + ", which is not below it",
             "a module uses only those above its line in src/CMakeLists.txt; move the shared part "
             "down into one of them"});
      }
    }
  }

  void check_include(const File& file, const Include& include) {
    const std::string owner = file.module();
    const std::string used = folder_of(include.target);
    if (is_testing(include.target) && !file.is_test()) {
      add(file, include, "testing", "\"" + include.target + "\" is for tests",
          "the product does not include testing/: move what it needs out of there");
    }
    if (tree_.modules.contains(used) && used != owner) {
      foreign(file, include, owner, used);
    } else if (!owner.empty()) {
      own(file, include, owner, used);
    }
  }

 private:
  void add(const File& file, const Include& include, std::string rule, std::string what,
           std::string cure) {
    findings_.push_back(
        {file.path, include.line, std::move(rule), std::move(what), std::move(cure)});
  }

  void foreign(const File& file, const Include& include, const std::string& owner,
               const std::string& used) {
    if (is_internal(include.target)) {
      add(file, include, "internal", "\"" + include.target + "\" is private to module " + used,
          "use the public headers of src/" + used + ", or add there what is missing");
    }
    const auto module = tree_.modules.find(owner);
    if (module == tree_.modules.end()) return;
    const bool listed = module->second.uses.contains(used) ||
                        (file.is_test() && module->second.test_uses.contains(used));
    if (!listed) {
      add(file, include, "layer", "module " + owner + " does not list " + used,
          "if the layers allow it, add " + used + " to USES in src/" + owner +
              "/CMakeLists.txt; what a used module uses is not included");
    }
  }

  void own(const File& file, const Include& include, const std::string& owner,
           const std::string& used) {
    if (used != owner) {
      if (file.is_test() && has_folder(tree_, "test/" + used)) return;
      add(file, include, "layer", "\"" + include.target + "\" belongs to no module",
          "write \"module/file.h\"; libraries are included with <>");
    } else if (is_internal(include.target) && file.is_public_header()) {
      add(file, include, "internal", "a public header includes \"" + include.target + "\"",
          "internal/ is not installed: include it in the .cc, or make the header public");
    }
  }

  const Tree& tree_;
  Findings& findings_;
};

// Headers of a module that only its tests include.
void check_testing(const Tree& tree, Findings& findings) {
  std::map<std::string, std::pair<int, int>, std::less<>> uses;  // by tests, and by others
  for (const File& file : tree.files) {
    for (const Include& include : file.source.includes) {
      const std::string path = "src/" + include.target;
      const bool own = path.ends_with(".h") && file.path == path.substr(0, path.size() - 1) + "cc";
      if (own) continue;
      auto& [tests, others] = uses[path];
      if (!file.is_test()) ++others;
      if (path.starts_with("src/" + file.module() + "/")) ++tests;
    }
  }
  for (const auto& [path, counts] : uses) {
    const File* const file = tree.find(path);
    if (file == nullptr || file->is_test() || counts.first == 0 || counts.second > 0) continue;
    findings.push_back({path, 1, "testing", "only tests of the module include this header",
                        "move it to testing/ of its module, or to test/support"});
  }
}

class CycleCheck {
 public:
  CycleCheck(const Tree& tree, Findings& findings) : tree_(tree), findings_(findings) {}

  void visit(const File& file) {
    if (!done_.insert(file.path).second) return;
    path_.push_back(&file);
    for (const Include& include : file.source.includes) {
      if (include.quoted) follow(file, include);
    }
    path_.pop_back();
  }

 private:
  void follow(const File& file, const Include& include) {
    const File* target = tree_.find("src/" + include.target);
    if (target == nullptr) target = tree_.find("test/" + include.target);
    if (target == nullptr) return;
    const auto begin = std::ranges::find(path_, target);
    if (begin == path_.end()) {
      visit(*target);
      return;
    }
    std::string cycle;
    for (auto at = begin; at != path_.end(); ++at) cycle += (*at)->path + " -> ";
    findings_.push_back({file.path, include.line, "include-cycle",
                         "headers include each other: " + cycle + target->path,
                         "forward-declare in one of them, or move the shared part to a third"});
  }

  const Tree& tree_;
  Findings& findings_;
  std::set<std::string> done_;
  std::vector<const File*> path_;
};

}  // namespace

void check_layers(const Tree& tree, Findings& findings) {
  LayerCheck rule(tree, findings);
  for (const auto& [name, module] : tree.modules) rule.check_module(module);
  for (const File& file : tree.files) {
    const std::string owner = file.module();
    if (file.is_cpp() && !owner.empty() && !tree.modules.contains(owner)) {
      findings.push_back({file.path, 1, "layer", "src/" + owner + " has no CMakeLists.txt",
                          "add one with clever_module(NAME " + owner + " USES …)"});
    }
    for (const Include& include : file.source.includes) {
      if (include.quoted) rule.check_include(file, include);
    }
  }
  check_testing(tree, findings);
}

void check_include_cycles(const Tree& tree, Findings& findings) {
  CycleCheck rule(tree, findings);
  for (const File& file : tree.files) rule.visit(file);
}

}  // namespace clever::tidy
