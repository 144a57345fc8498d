#include "index/internal/import_resolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace clever::index::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> resolved(std::vector<std::string> paths, const std::string& from,
                                  std::string_view import) {
  paths.push_back(from);
  std::ranges::sort(paths);
  const FileTable table(paths);
  std::vector<std::string> targets;
  for (const FileNumber file : resolve_import(table, *table.find(from), import)) {
    targets.push_back(paths[file]);
  }
  return targets;
}

TEST(ResolveImport, OfCByTheTailOfThePath) {
  EXPECT_THAT(
      resolved({"src/engine/plan.h", "src/other/plan.h"}, "src/app/main.cc", "engine/plan.h"),
      ElementsAre("src/engine/plan.h"));
}

TEST(ResolveImport, OfCTheNearest) {
  EXPECT_THAT(resolved({"a/util.h", "b/util.h"}, "b/x.c", "util.h"), ElementsAre("b/util.h"));
}

TEST(ResolveImport, OfASystemLeadsNowhere) {
  EXPECT_THAT(resolved({"src/a.h"}, "src/a.cc", "vector"), IsEmpty());
  EXPECT_THAT(resolved({"src/path.py"}, "src/a.py", "os.path"), IsEmpty());
  EXPECT_THAT(resolved({"src/a.h"}, "src/a.cc", ""), IsEmpty());
}

TEST(ResolveImport, OfJavaScriptFromWhereItStands) {
  const std::vector<std::string> files{"web/util.ts", "web/lib/index.ts", "util.ts"};
  EXPECT_THAT(resolved(files, "web/app/main.ts", "../util"), ElementsAre("web/util.ts"));
  EXPECT_THAT(resolved(files, "web/main.ts", "./util.js"), ElementsAre("web/util.ts"));
  EXPECT_THAT(resolved(files, "web/main.ts", "./lib"), ElementsAre("web/lib/index.ts"));
  EXPECT_THAT(resolved(files, "web/main.ts", "./util.ts"), ElementsAre("web/util.ts"));
  EXPECT_THAT(resolved(files, "web/main.ts", "./none"), IsEmpty());
}

TEST(ResolveImport, OfPythonByModule) {
  const std::vector<std::string> files{"pkg/core/plan.py", "pkg/core/__init__.py", "pkg/util.py"};
  EXPECT_THAT(resolved(files, "pkg/a.py", "pkg.core.plan"), ElementsAre("pkg/core/plan.py"));
  EXPECT_THAT(resolved(files, "pkg/a.py", "pkg.core"), ElementsAre("pkg/core/__init__.py"));
  EXPECT_THAT(resolved(files, "pkg/a.py", "pkg.core.plan.Plan"), ElementsAre("pkg/core/plan.py"));
  EXPECT_THAT(resolved(files, "pkg/core/x.py", ".plan"), ElementsAre("pkg/core/plan.py"));
  EXPECT_THAT(resolved(files, "pkg/core/x.py", "..util"), ElementsAre("pkg/util.py"));
}

TEST(ResolveImport, OfGoAllFilesOfThePackage) {
  EXPECT_THAT(resolved({"pkg/wire/a.go", "pkg/wire/b.go", "pkg/wire/b_test.go"}, "main.go",
                       "example.org/project/pkg/wire"),
              ElementsAre("pkg/wire/a.go", "pkg/wire/b.go"));
}

TEST(ResolveImport, OfJavaAndRustByName) {
  EXPECT_THAT(resolved({"src/org/plan/Task.java"}, "src/A.java", "org.plan.Task"),
              ElementsAre("src/org/plan/Task.java"));
  EXPECT_THAT(resolved({"src/engine/plan.rs"}, "src/main.rs", "crate::engine::plan::Plan"),
              ElementsAre("src/engine/plan.rs"));
}

TEST(ResolveImport, NeverLeadsToItself) {
  EXPECT_THAT(resolved({}, "src/plan.h", "src/plan.h"), IsEmpty());
}

TEST(ResolveImport, AnAmbiguousImportResolvesToNothing) {
  std::vector<std::string> files;
  for (char c = 'a'; c < 'k'; ++c) files.push_back(std::string("x/") + c + "/util.h");
  EXPECT_THAT(resolved(files, "main.c", "util.h"), IsEmpty());
}

}  // namespace
}  // namespace clever::index::internal
