// Each rule: a snippet that breaks it, and its innocent neighbour.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tidy/rules.h"

namespace clever::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Texts = std::map<std::string, std::string>;

// Three modules, one above the other, and a folder of tests.
Texts skeleton() {
  return {
      {"src/CMakeLists.txt",
       "add_subdirectory(base)\nadd_subdirectory(io)\nadd_subdirectory(plan)\n"
       "add_subdirectory(app)\n"},
      {"src/base/CMakeLists.txt", "clever_module(NAME base LINK OpenSSL::Crypto)\n"},
      {"src/base/result.h", "#pragma once\n"},
      {"src/io/CMakeLists.txt",
       "# files\nclever_module(NAME io USES base\n  LINK CURL::libcurl)\n"},
      {"src/io/file.h", "#pragma once\n"},
      {"src/plan/CMakeLists.txt", "clever_module(NAME plan USES base)\n"},
      {"src/app/CMakeLists.txt",
       "add_executable(agents main.cc)\ntarget_link_libraries(agents PRIVATE CleverAgents::io)\n"},
      {"test/explore/explore.h", "#pragma once\n"},
  };
}

// "path:line rule" for each broken rule of the skeleton with these files added.
std::vector<std::string> broken(Texts texts) {
  texts.merge(skeleton());
  std::vector<std::string> found;
  for (const Finding& finding : check(make_tree(texts))) {
    found.push_back(finding.path + ":" + std::to_string(finding.line) + " " + finding.rule);
  }
  return found;
}

// The rules that a snippet breaks as a source of module io, on its second line.
std::vector<std::string> rules_of(const std::string& line,
                                  const std::string& path = "src/io/x.cc") {
  std::vector<std::string> found;
  for (const std::string& entry : broken({{path, "\n" + line + "\n"}})) {
    EXPECT_TRUE(entry.starts_with(path + ":2 ")) << entry;
    found.push_back(entry.substr(entry.find(' ') + 1));
  }
  return found;
}

TEST(Tidy, AcceptsTheSkeleton) { EXPECT_THAT(broken({}), IsEmpty()); }

TEST(Tidy, FindingNamesPlaceRuleAndCure) {
  const Finding finding{"src/io/x.cc", 7, "locks", "std::mutex outside src/base", "use Guarded"};
  EXPECT_EQ(finding.to_string(),
            "src/io/x.cc:7: [locks] std::mutex outside src/base. Cure: use Guarded");
}

TEST(Layers, ListedModuleMayBeIncluded) {
  EXPECT_THAT(rules_of("#include \"base/result.h\""), IsEmpty());
}
TEST(Layers, UnlistedModuleMayNot) {
  EXPECT_THAT(rules_of("#include \"io/file.h\"", "src/plan/x.cc"), ElementsAre("layer"));
}
TEST(Layers, UseOfAUsedModuleIsNotImplied) {
  EXPECT_THAT(rules_of("#include \"base/result.h\"", "src/app/main.cc"), ElementsAre("layer"));
}
TEST(Layers, IncludeOfNoModule) {
  EXPECT_THAT(rules_of("#include \"file.h\""), ElementsAre("layer"));
  EXPECT_THAT(rules_of("#include \"explore/explore.h\""), ElementsAre("layer"));
}
TEST(Layers, TestsMayIncludeTestFoldersAndWhatTheyLink) {
  EXPECT_THAT(rules_of("#include \"explore/explore.h\"", "src/io/x_test.cc"), IsEmpty());
  EXPECT_THAT(broken({{"src/plan/CMakeLists.txt",
                       "clever_module(NAME plan USES base LINK yaml TEST_LINK "
                       "CleverAgents::io)"},
                      {"src/plan/x_test.cc", "#include \"io/file.h\"\n"}}),
              IsEmpty());
}
TEST(Layers, ModuleUsesOnlyWhatIsBelowIt) {
  EXPECT_THAT(broken({{"src/base/CMakeLists.txt", "clever_module(NAME base USES io)\n"}}),
              ElementsAre("src/base/CMakeLists.txt:1 layer"));
}
TEST(Layers, ModuleUsesOnlyModules) {
  EXPECT_THAT(broken({{"src/io/CMakeLists.txt", "clever_module(NAME io USES base nothing)\n"}}),
              ElementsAre("src/io/CMakeLists.txt:1 layer"));
}
TEST(Layers, ModuleMustBeListedAndHaveATarget) {
  EXPECT_THAT(broken({{"src/extra/CMakeLists.txt", "clever_module(NAME extra)\n"}}),
              ElementsAre("src/extra/CMakeLists.txt:1 layer"));
  EXPECT_THAT(broken({{"src/extra/x.cc", "int f();\n"}}), ElementsAre("src/extra/x.cc:1 layer"));
}

TEST(Internal, OwnSourceMayIncludeIt) {
  EXPECT_THAT(rules_of("#include \"io/internal/x.h\""), IsEmpty());
}
TEST(Internal, AnotherModuleMayNot) {
  EXPECT_THAT(rules_of("#include \"base/internal/x.h\""), ElementsAre("internal"));
  EXPECT_THAT(rules_of("#include \"base/internal/x.h\"", "test/e2e/x.cc"), ElementsAre("internal"));
}
TEST(Internal, PublicHeaderMayNot) {
  EXPECT_THAT(broken({{"src/io/x.h", "#pragma once\n#include \"io/internal/y.h\"\n"}}),
              ElementsAre("src/io/x.h:2 internal"));
}

TEST(Testing, TheProductDoesNotIncludeIt) {
  EXPECT_THAT(rules_of("#include \"io/testing/x.h\""), ElementsAre("testing"));
  EXPECT_THAT(rules_of("#include \"io/testing/x.h\"", "src/io/x_test.cc"), IsEmpty());
  EXPECT_THAT(rules_of("#include \"io/testing/x.h\"", "src/io/x_fuzz.cc"), IsEmpty());
}
TEST(Testing, HoldsWhatOnlyTestsInclude) {
  const std::string header = "#pragma once\nvoid f();\n";
  const std::string include = "#include \"io/x.h\"\n";
  EXPECT_THAT(
      broken({{"src/io/x.h", header}, {"src/io/x.cc", include}, {"src/io/x_test.cc", include}}),
      ElementsAre("src/io/x.h:1 testing"));
  EXPECT_THAT(
      broken({{"src/io/x.h", header}, {"src/io/y.cc", include}, {"src/io/x_test.cc", include}}),
      IsEmpty());
  EXPECT_THAT(broken({{"src/io/testing/x.h", header},
                      {"src/io/x_test.cc", "#include \"io/testing/x.h\"\n"}}),
              IsEmpty());
}

TEST(IncludeCycle, IsFoundOnceAndNamed) {
  Texts texts = skeleton();
  texts["src/io/a.h"] = "#pragma once\n#include \"io/b.h\"\n";
  texts["src/io/b.h"] = "#pragma once\n#include \"io/a.h\"\n";
  const Findings findings = check(make_tree(texts));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].path, "src/io/b.h");
  EXPECT_THAT(findings[0].what, HasSubstr("src/io/a.h -> src/io/b.h -> src/io/a.h"));
}
TEST(IncludeCycle, ADiamondIsNotACycle) {
  EXPECT_THAT(broken({{"src/io/a.h", "#pragma once\n#include \"io/b.h\"\n#include \"io/c.h\"\n"},
                      {"src/io/b.h", "#pragma once\n#include \"io/c.h\"\n"},
                      {"src/io/c.h", "#pragma once\n"}}),
              IsEmpty());
}

TEST(PlanPure, BansTimeChanceFilesThreadsAndLogging) {
  const std::string path = "src/plan/decide.cc";
  for (const char* line :
       {"#include <random>", "#include <fstream>", "#include <filesystem>",
        "#include <sys/socket.h>", "#include <spdlog/spdlog.h>", "#include \"base/clock.h\"",
        "#include \"base/log.h\"", "auto now = std::chrono::steady_clock::now;",
        "Event f(const Clock& clock);", "int f() { return rand(); }",
        "int f() { return open(p, 0); }", "void f(base::Random& r);"}) {
    EXPECT_THAT(rules_of(line, path), testing::Contains("plan-pure")) << line;
  }
}
TEST(PlanPure, AllowsValuesAndDurations) {
  const std::string path = "src/plan/decide.cc";
  for (const char* line : {"#include <chrono>", "#include <vector>", "#include \"base/result.h\"",
                           "std::chrono::milliseconds f();", "int f() { return plan.open(1); }",
                           "// never asks the Clock"}) {
    EXPECT_THAT(rules_of(line, path), IsEmpty()) << line;
  }
}
TEST(PlanPure, AllowsJsonInSourcesAndPrivateHeaders) {
  const std::string json = "#pragma once\n#include <nlohmann/json.hpp>\n";
  EXPECT_THAT(broken({{"src/plan/internal/effect_data.h", json}}), IsEmpty());
  EXPECT_THAT(rules_of("#include <nlohmann/json.hpp>", "src/plan/decide.cc"), IsEmpty());
  EXPECT_THAT(broken({{"src/plan/decide.h", json}}),
              testing::Contains("src/plan/decide.h:2 plan-pure"));
  EXPECT_THAT(rules_of("#include <nlohmann/ordered_map.hpp>", "src/plan/decide.cc"),
              testing::Contains("plan-pure"));
}
TEST(PlanPure, BindsOnlyThePlan) {
  EXPECT_THAT(rules_of("#include <random>"), IsEmpty());
  EXPECT_THAT(rules_of("#include <random>", "src/plan/decide_test.cc"), IsEmpty());
}

TEST(Locks, BannedOutsideBaseInTestsToo) {
  for (const char* line :
       {"struct S { std::mutex m; };", "struct S { std::shared_mutex m; };",
        "void f() { std::thread t(g); }", "void f() { auto x = std::async(g); }",
        "void f() { t.detach(); }", "void f() { thread->detach(); }",
        "void f() { std::this_thread::sleep_for(1ms); }", "void f() { sleep_until(t); }",
        "void f() { ::usleep(3); }", "void f() { sleep(1); }",
        "void f() { const std::lock_guard l(m); }", "void f(std::stop_token s);",
        "void f() { pthread_create(a, b, c, d); }", "void f() { std::call_once(flag, g); }"}) {
    EXPECT_THAT(rules_of(line), testing::Contains("locks")) << line;
    EXPECT_THAT(rules_of(line, "src/io/x_test.cc"), testing::Contains("locks")) << line;
  }
}
TEST(Locks, StartingLinesAreForTestsOnly) {
  for (const char* line :
       {"#include <mutex>", "#include <thread>", "#include <latch>", "void f(std::latch& start);",
        "void f(std::barrier<>& start);", "void f() { std::this_thread::yield(); }"}) {
    EXPECT_THAT(rules_of(line), ElementsAre("locks")) << line;
    EXPECT_THAT(rules_of(line, "src/io/x_test.cc"), IsEmpty()) << line;
  }
}
TEST(Locks, ThreadLocalIsBanned) {
  EXPECT_THAT(rules_of("int f() { thread_local int x = 0; return x; }"),
              testing::Contains("locks"));
}
TEST(Locks, AllowedWhereTheyAreMade) {
  const std::string line = "struct S { std::mutex m; };";
  EXPECT_THAT(rules_of(line, "src/base/x.cc"), IsEmpty());
  EXPECT_THAT(rules_of(line, "test/explore/x.cc"), IsEmpty());
  EXPECT_THAT(rules_of(line, "bench/x.cc"), IsEmpty());
}
TEST(Locks, NeighboursAreInnocent) {
  for (const char* line :
       {"void f(base::Mutex& mutex);", "void f() { clock.sleep(1); }", "void f() { detach(x); }",
        "void f() { pthread_sigmask(a, b, c); }",
        "int thread = 3;  // std::mutex" /* also a mutable global, see below */}) {
    EXPECT_THAT(rules_of(line), testing::Not(testing::Contains("locks"))) << line;
  }
}

TEST(Literals, CommentsAndStringsBreakNoRule) {
  for (const char* line :
       {"// std::mutex would be wrong here", "/* std::thread\n new int */ int f();",
        "auto f() { return \"std::mutex \\\" new X\"; }",
        "auto f() { return R\"x(std::mutex )\" )x\"; }", "auto f() { return u8R\"(std::mutex)\"; }",
        "auto f() { return L\"std::mutex\"; }", "char f() { return '\"'; } // std::mutex \"",
        "int f() { return 1'000; }  // std::thread's"}) {
    EXPECT_THAT(rules_of(line), IsEmpty()) << line;
  }
}
TEST(Literals, CodeAfterThemIsSeen) {
  for (const char* line : {"auto f() { return R\"(a\")\"; } std::mutex m();",
                           "/* a */ std::mutex m();", "char c() { return '\\''; } std::mutex m();",
                           "int f() { return 1'000; } std::mutex m();"}) {
    EXPECT_THAT(rules_of(line), ElementsAre("locks")) << line;
  }
}
TEST(Literals, LinesAreCountedThroughThem) {
  EXPECT_THAT(broken({{"src/io/x.cc",
                       "auto s() { return R\"(\n\n)\"; }\n/*\n*/\n#define A \\\n  b\n"
                       "std::mutex m();\n"}}),
              ElementsAre("src/io/x.cc:8 locks"));
}
TEST(Literals, UnfinishedOnesDoNotHang) {
  for (const char* line :
       {"auto s = R\"(abc", "/* abc", "char c = '", "#include \"x", "auto s = R\"abc"}) {
    EXPECT_NO_FATAL_FAILURE(static_cast<void>(broken({{"src/io/x.cc", line}}))) << line;
  }
}

TEST(AtomicComment, IsRequired) {
  EXPECT_THAT(rules_of("struct S { std::atomic<int> x; };"), ElementsAre("atomic-comment"));
  EXPECT_THAT(rules_of("struct S { base::Atomic<bool> x; };"), ElementsAre("atomic-comment"));
}
TEST(AtomicComment, OnTheLineOrAbove) {
  EXPECT_THAT(rules_of("struct S { std::atomic<int> x; };  // publishes the snapshot"), IsEmpty());
  EXPECT_THAT(rules_of("// Publishes the snapshot below.\nstruct S { std::atomic<int> x; };"),
              IsEmpty());
}
TEST(AtomicComment, MustSaySomething) {
  EXPECT_THAT(rules_of("struct S { std::atomic<int> x; };  // atomic"),
              ElementsAre("atomic-comment"));
}
TEST(AtomicComment, OfTheLineBeforeDoesNotCount) {
  EXPECT_THAT(broken({{"src/io/x.h",
                       "#pragma once\nint f();  // publishes the snapshot x\n"
                       "struct S { std::atomic<int> x; };\n"}}),
              ElementsAre("src/io/x.h:3 atomic-comment"));
}
TEST(AtomicComment, NotForReferencesNorTests) {
  EXPECT_THAT(rules_of("void f(std::atomic<int>& x);"), IsEmpty());
  EXPECT_THAT(rules_of("struct S { std::atomic<int> x; };", "src/io/x_test.cc"), IsEmpty());
}

TEST(Globals, MutableOnesAreFound) {
  for (const char* line :
       {"int counter = 0;", "static std::string name;", "inline int counter{0};",
        "namespace a { int counter; }", "const char* name = \"x\";", "extern int counter;",
        "void f() { static int calls = 0; }", "void f() { static Foo foo(1); }",
        "struct S { static int count; };", "struct S { inline static int count = 0; };",
        "void (*hook)(int) = nullptr;", "int S::count = 0;", "template <class T> T cache{};",
        "std::map<int, int> table = {{1, 2}};", "constinit int counter = 0;"}) {
    EXPECT_THAT(rules_of(line), ElementsAre("globals")) << line;
  }
}
TEST(Globals, AccessorsAreFound) {
  for (const char* line : {"struct S { static S& instance(); };", "Registry& get_instance();",
                           "struct S { static std::shared_ptr<S> instance(); };",
                           "struct S { static S* singleton() { return nullptr; } };"}) {
    EXPECT_THAT(rules_of(line), ElementsAre("globals")) << line;
  }
}
TEST(Globals, ConstantsFunctionsAndMembersAreInnocent) {
  for (const char* line : {"constexpr int kLimit = 3;",
                           "const std::string kName = \"x\";",
                           "inline constexpr int k{3};",
                           "const char* const kName = \"x\";",
                           "int f(int x = 3);",
                           "static int f();",
                           "int f(int x) { int y = x; return y; }",
                           "struct S { int count = 0; };",
                           "struct S { static constexpr int kCount = 0; static S make(); };",
                           "void f() { static const int k = 3; }",
                           "enum class E { kA, kB = 3 };",
                           "class C;",
                           "using A = int;",
                           "template <class T> concept C = requires(T t) { t.x; };",
                           "template <class T> concept C = requires { typename T::x; };",
                           "template <> inline constexpr bool k<int> = true;",
                           "struct S { S() : a_{1}, b_(2) {} };",
                           "S::S() : a_{1}, b_{2} { f(); }",
                           "bool operator==(const A& a, const B& b) { return false; }",
                           "auto S::f() -> int { return 3; }",
                           "extern \"C\" { int f(); }",
                           "static_assert(true);",
                           "void f() { auto g = [] { int x = 0; return x; }; }",
                           "TEST(A, B) { int x = 0; }",
                           "int f(); [[nodiscard]] int g();",
                           "struct S { friend bool operator==(const S&, const S&) = default; };",
                           "#define X int y = 3"}) {
    EXPECT_THAT(rules_of(line), IsEmpty()) << line;
  }
}
TEST(Globals, TestsMayCount) {
  EXPECT_THAT(rules_of("void f() { static int calls = 0; }", "src/io/x_test.cc"), IsEmpty());
}
TEST(Globals, BaseMayKeepAThreadsOwnPlace) {
  EXPECT_THAT(rules_of("thread_local int depth = 0;", "src/base/x.cc"), IsEmpty());
  EXPECT_THAT(rules_of("int depth = 0;", "src/base/x.cc"), ElementsAre("globals"));
}

TEST(OrphanWork, RunnerIsDeclaredLast) {
  EXPECT_THAT(rules_of("class C { base::TaskGroup tasks_; int count_; };"),
              ElementsAre("orphan-work"));
  EXPECT_THAT(
      rules_of(
          "class C { std::vector<base::Thread> threads_; int count_ CLEVER_GUARDED_BY(m_); };"),
      ElementsAre("orphan-work"));
}
TEST(OrphanWork, LastOrBorrowedIsRight) {
  for (const char* line : {"class C { int count_; base::TaskGroup tasks_; };",
                           "class C { base::TaskGroup& tasks_; int x_; };",
                           "class C { base::Thread thread_; void f(); };",
                           "class A { base::Thread t_; }; class B { int x_; };"}) {
    EXPECT_THAT(rules_of(line), IsEmpty()) << line;
  }
}

TEST(Suppression, BannedOutsideBase) {
  for (const char* line : {"int f();  // NOLINT(all): it is needed here", "// NOLINTNEXTLINE",
                           "void f() CLEVER_NO_THREAD_SAFETY_ANALYSIS;",
                           "__attribute__((no_sanitize(\"thread\"))) void f();",
                           "#pragma clang diagnostic ignored \"-Wshadow\""}) {
    EXPECT_THAT(rules_of(line), ElementsAre("suppression")) << line;
  }
}
TEST(Suppression, NeedsAReasonInBase) {
  const std::string path = "src/base/x.cc";
  EXPECT_THAT(rules_of("int f();  // NOLINT", path), ElementsAre("suppression"));
  EXPECT_THAT(rules_of("int f();  // NOLINT(bugprone-x)", path), ElementsAre("suppression"));
  EXPECT_THAT(rules_of("int f();  // NOLINT(bugprone-x) the kernel wants this order", path),
              IsEmpty());
  EXPECT_THAT(rules_of("void f() CLEVER_NO_THREAD_SAFETY_ANALYSIS;", path),
              ElementsAre("suppression"));
  EXPECT_THAT(rules_of("// Locks in an order that only run time knows.\n"
                       "void f() CLEVER_NO_THREAD_SAFETY_ANALYSIS;",
                       path),
              IsEmpty());
}
TEST(Suppression, FilesAreBanned) {
  EXPECT_THAT(
      broken({{"test/tsan.supp", "race:x\n"}, {"test/tsan_suppressions.txt", "race:x\n"}}),
      ElementsAre("test/tsan.supp:1 suppression", "test/tsan_suppressions.txt:1 suppression"));
}

TEST(Redaction, GuessingIsForWhatShowsAndLogs) {
  EXPECT_THAT(rules_of("std::string f() { return base::redact(text); }"), ElementsAre("redaction"));
  EXPECT_THAT(rules_of("void f(const base::Redactor& redactor);"), ElementsAre("redaction"));
  EXPECT_THAT(rules_of("#include \"base/redact.h\""), ElementsAre("redaction"));
  EXPECT_THAT(rules_of("secrets.withhold(text);"), IsEmpty());
  EXPECT_THAT(rules_of("std::string f() { return redact(text); }", "src/base/x.cc"), IsEmpty());
  EXPECT_THAT(rules_of("std::string f() { return base::redact(text); }", "src/io/x_test.cc"),
              IsEmpty());
}

TEST(Headers, PragmaOnce) {
  EXPECT_THAT(broken({{"src/io/x.h", "int f();\n"}}), ElementsAre("src/io/x.h:1 pragma-once"));
}
TEST(Headers, UsingNamespace) {
  EXPECT_THAT(broken({{"src/io/x.h", "#pragma once\nusing namespace std;\n"}}),
              ElementsAre("src/io/x.h:2 using-namespace"));
  EXPECT_THAT(rules_of("using namespace std::chrono_literals;"), IsEmpty());
}
TEST(Headers, ThirdPartyStaysOutOfPublicOnes) {
  for (const char* target :
       {"fmt/core.h", "spdlog/spdlog.h", "toml++/toml.h", "nlohmann/json.hpp", "CLI/CLI.hpp",
        "boost/asio.hpp", "openssl/evp.h", "sqlite3.h", "libpq-fe.h", "git2.h", "curl/curl.h"}) {
    const std::string text = std::string("#pragma once\n#include <") + target + ">\n";
    EXPECT_THAT(broken({{"src/io/x.h", text}}), ElementsAre("src/io/x.h:2 third-party")) << target;
    EXPECT_THAT(broken({{"src/io/internal/x.h", text}, {"src/io/x.cc", text}}), IsEmpty())
        << target;
  }
}
TEST(Headers, StandardAndSystemOnesAreWelcome) {
  EXPECT_THAT(broken({{"src/io/x.h",
                       "#pragma once\n#include <vector>\n#include <sys/types.h>\n"
                       "#include <unistd.h>\n"}}),
              IsEmpty());
}

TEST(Ownership, RawNewAndDelete) {
  EXPECT_THAT(rules_of("auto f() { return new int; }"), ElementsAre("ownership"));
  EXPECT_THAT(rules_of("void f(int* p) { delete p; }"), ElementsAre("ownership"));
}
TEST(Ownership, OwnedPlacementAndDeletedFunctionsAreInnocent) {
  for (const char* line :
       {"auto f() { return std::unique_ptr<S>(new S); }", "void f() { p.reset(new S); }",
        "void f(void* at) { new (at) S; }", "struct S { S(const S&) = delete; };"}) {
    EXPECT_THAT(rules_of(line), IsEmpty()) << line;
  }
}

TEST(UnitNames, OneOwnerPerModule) {
  const std::string local =
      "namespace clever::io {\nnamespace {\nint width(int x) { return x; }\n}\n}\n";
  EXPECT_THAT(broken({{"src/io/a.cc", local}, {"src/io/b.cc", local}}),
              ElementsAre("src/io/b.cc:3 unit-name"));
  EXPECT_THAT(broken({{"src/io/a_test.cc", local}, {"src/io/b_test.cc", local}}),
              ElementsAre("src/io/b_test.cc:3 unit-name"));
}
TEST(UnitNames, SeesConstantsTypesAndAliases) {
  const auto both = [](const std::string& one, const std::string& other) {
    const std::string before = "namespace clever::io {\nnamespace {\n";
    return broken(
        {{"src/io/a.cc", before + one + "\n}\n}\n"}, {"src/io/b.cc", before + other + "\n}\n}\n"}});
  };
  EXPECT_THAT(both("constexpr int kMost = 1;", "constexpr long kMost{2};").size(), 1);
  EXPECT_THAT(both("struct Found { int a; };", "class Found final : public Base {};").size(), 1);
  EXPECT_THAT(both("using Kind = A::Kind;", "using Kind = B::Kind;").size(), 1);
  EXPECT_THAT(both("using Kind = A::Kind;", "using Kind = A::Kind;"), IsEmpty());
  EXPECT_THAT(both("enum class Mode { kA };", "template <typename T> T Mode(T x);").size(), 1);
}
TEST(UnitNames, OtherModulesTestsAndNamespacesAreInnocent) {
  const std::string local =
      "namespace clever::io {\nnamespace {\nint width(int x) { return x; }\n}\n}\n";
  EXPECT_THAT(broken({{"src/io/a.cc", local},
                      {"src/io/b_test.cc", local},
                      {"src/io/b_stress_test.cc", local},
                      {"src/base/a.cc", local},
                      {"src/io/c.cc", "namespace clever::io {\nint width(double x);\n}\n"},
                      {"src/io/d.cc",
                       "namespace clever::io::internal {\nnamespace {\nint width();\n}\n}\n"}}),
              IsEmpty());
}
TEST(UnitNames, MembersUsingDeclarationsAndTestsAreInnocent) {
  const std::string local =
      "namespace clever::io {\nnamespace {\nusing testing::Eq;\nTEST(A, B) { int x = 0; }\n}\n}\n";
  EXPECT_THAT(broken({{"src/io/a_test.cc", local}, {"src/io/b_test.cc", local}}), IsEmpty());
}
TEST(Documents, LinksLeadSomewhere) {
  const auto links = [](const std::string& text) {
    return broken({{"README.md", "# Read\n## How it *works*, twice\n" + text + "\n"},
                   {"docs/a.md", "# A\n## Set up\n## Set up\n"},
                   {"docs/a.png", ""}});
  };
  EXPECT_THAT(links("see [b](docs/b.md)"), ElementsAre("README.md:3 dead-link"));
  EXPECT_THAT(links("see [a](docs/a.md#tear-down)"), ElementsAre("README.md:3 dead-link"));
  EXPECT_THAT(links("see [x](#nowhere) and [y](#how)").size(), 2);
  EXPECT_THAT(links("![a](docs/a.png) [a](docs/a.md#set-up) [a](docs/a.md#set-up-1) [d](docs/) "
                    "[h](#how-it-works-twice) [w](https://example.org/x)"),
              IsEmpty());
  EXPECT_THAT(links("```\n[b](docs/b.md)\n```"), IsEmpty());
}
TEST(Documents, EveryPageIsInTheIndex) {
  const Texts pages = {{"docs/README.md", "[a](use/a.md)\n"}, {"docs/use/a.md", "# A\n"}};
  EXPECT_THAT(broken(pages), IsEmpty());
  Texts more = pages;
  more["docs/b.md"] = "# B\n";
  EXPECT_THAT(broken(more), ElementsAre("docs/b.md:1 docs-index"));
}
TEST(Phrases, UpToTheCeilingArePassed) {
  const auto uses = [](const std::string& text, std::size_t ceiling) {
    const Phrase phrase{"old word", "write: new word", ceiling};
    Findings findings;
    check_phrases(make_tree({{"src/io/x.h", text}}), {&phrase, 1}, findings);
    std::vector<int> lines;
    for (const Finding& finding : findings) lines.push_back(finding.line);
    return lines;
  };
  const std::string text = "// An Old word.\n\n// Bold words, old words.\nint f();  // old word\n";
  EXPECT_THAT(uses(text, 0), ElementsAre(1, 4));
  EXPECT_THAT(uses(text, 1), ElementsAre(1));
  EXPECT_THAT(uses(text, 2), IsEmpty());
}
TEST(Phrases, NamesInCodeAndTestsAreInnocent) {
  const Phrase phrase{"told", "say who gets what", 0};
  Findings findings;
  check_phrases(make_tree({{"src/io/x.cc", "int told = 0;\nint g = told;  // is told\n"},
                           {"src/io/x_test.cc", "// is told\n"}}),
                {&phrase, 1}, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line, 2);
}
TEST(Phrases, BindSourcesAndDocuments) {
  const Phrase phrase{"old word", "write: new word", 0};
  Findings findings;
  check_phrases(make_tree({{"src/a.cc", "// old word"},
                           {"README.md", "old word"},
                           {"test/a.cc", "// old word"},
                           {"docs/glossary.md", "old word"}}),
                {&phrase, 1}, findings);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].cure, "write: new word");
}
TEST(Documents, TheTableOfModulesSaysWhatCMakeSays) {
  const auto table = [](const std::string& rows) {
    return broken({{"ARCHITECTURE.md", "## Modules\n| module | holds | uses |\n|---|---|---|\n" +
                                           rows + "\n## Other\n| `none` | x | y |\n"}});
  };
  const std::string right = "| `base` | x | – |\n| `io` | x | base |\n| `plan` | x | base |\n";
  EXPECT_THAT(table(right + "| `app` | x | io |"), IsEmpty());
  EXPECT_THAT(table(right + "| `app` | x | io base |"),
              ElementsAre("ARCHITECTURE.md:7 module-table"));
  EXPECT_THAT(table(right), ElementsAre("ARCHITECTURE.md:1 module-table"));
  EXPECT_THAT(table(right + "| `app` | x | io |\n| `web` | x | io |"),
              ElementsAre("ARCHITECTURE.md:8 module-table"));
}
TEST(Text, UnfinishedWork) {
  EXPECT_THAT(rules_of("int f();  // TODO: more"), ElementsAre("unfinished"));
  EXPECT_THAT(rules_of("int f();  // what is left to do"), IsEmpty());
}
TEST(Text, SkippedTests) {
  EXPECT_THAT(rules_of("TEST(A, B) { GTEST_SKIP(); }", "src/io/x_test.cc"),
              ElementsAre("skipped-test"));
  EXPECT_THAT(rules_of("TEST(A, DISABLED_B) {}", "src/io/x_test.cc"), ElementsAre("skipped-test"));
}
TEST(Text, MachinePaths) {
  EXPECT_THAT(rules_of("auto f() { return \"/home/another/x\"; }"), ElementsAre("machine-path"));
  EXPECT_THAT(rules_of("see (/root/x)", "docs/x.md"), ElementsAre("machine-path"));
  EXPECT_THAT(rules_of("see src/home/x, ~/x, /home/me/x", "docs/x.md"), IsEmpty());
}

}  // namespace
}  // namespace clever::tidy
