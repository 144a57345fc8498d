#include "service/demo/demo_project.h"

namespace clever::service {
namespace {

constexpr std::string_view kReadme = R"(# shelf

Eight small functions for shell scripts, one in each file of `lib/`.

    . lib/upper.sh
    upper hello

`sh test.sh` runs the tests.
)";

constexpr std::string_view kTestHead = R"sh(#!/bin/sh
# sh test.sh: calls every function of lib/ once, and says which answers are wrong.
cd "$(dirname "$0")" || exit 2
for file in lib/*.sh; do . "./$file"; done
passed=0
failed=0

check() {  # check EXPECTED CALL...
  expected=$1
  shift
  actual=$("$@")
  if [ "$actual" = "$expected" ]; then
    passed=$((passed + 1))
    echo "ok    $*"
  else
    failed=$((failed + 1))
    echo "FAIL  $*: expected $expected, got $actual"
  fi
}

)sh";

constexpr std::string_view kTestTail = R"sh(
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
)sh";

// Escapes a text for single quotes in YAML.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result.append(c == '\'' ? "''" : std::string(1, c));
  return result + "'";
}

std::string library_file(const DemoRepair& repair) {
  return std::string(repair.name) + "() {\n  " + std::string(repair.wrong) + "\n}\n";
}

std::string test_file() {
  std::string text(kTestHead);
  for (const DemoRepair& repair : demo_repairs()) {
    text.append("check '").append(repair.expected).append("' ").append(repair.call).append("\n");
  }
  return text.append(kTestTail);
}

std::string repair_path(const DemoRepair& repair) {
  return "lib/" + std::string(repair.name) + ".sh";
}

std::string strategy_rule() {
  std::string text =
      "- name: strategy\n"
      "  match: {tool: submit_strategy}\n"
      "  delay: 250ms\n"
      "  tool_calls:\n"
      "  - name: submit_strategy\n"
      "    arguments:\n"
      "      summary: Each function has a mistake of its own; eight subplans repair them at once.\n"
      "      rationale: No two of them share a file, so nothing can conflict.\n"
      "      confidence: 0.95\n"
      "      steps:\n";
  for (const DemoRepair& repair : demo_repairs()) {
    const std::string name(repair.name);
    text += "      - {id: " + name + ", title: Repair " + name +
            ", mode: subplan, detail: 'The function in " + repair_path(repair) +
            " fails its test.', paths: [" + repair_path(repair) + "]}\n";
  }
  return text;
}

constexpr std::string_view kLookRule = R"(- name: look
  match: {any_regex: 'Repair (\w+)', turn: 1}
  delay: 200ms
  reply: I look at the function first.
  tool_calls: {name: read_file, arguments: {path: 'lib/{1}.sh'}}
)";

// The delays differ, so that half of the work is done while the rest is still running.
std::string repair_rule(const DemoRepair& repair, std::size_t number) {
  return "- name: repair " + std::string(repair.name) +
         "\n  match: {result: read_file, result_text: " +
         in_quotes(std::string(repair.name) + "() {") +
         "}\n  delay: " + std::to_string(150 + 200 * number) +
         "ms\n  reply: There is the mistake.\n  tool_calls: {name: edit_file, arguments: {path: " +
         repair_path(repair) + ", old_text: " + in_quotes(repair.wrong) +
         ", new_text: " + in_quotes(repair.right) + "}}\n";
}

constexpr std::string_view kReportRule = R"(- name: report
  match: {result: edit_file}
  delay: 100ms
  reply: The function answers its test now.
)";

}  // namespace

const std::vector<DemoRepair>& demo_repairs() {
  static const std::vector<DemoRepair> kRepairs{
      {"upper", R"(echo "$1" | tr A-Z a-z)", R"(echo "$1" | tr a-z A-Z)", "upper shelf", "SHELF"},
      {"add", "echo $(($1 - $2))", "echo $(($1 + $2))", "add 19 23", "42"},
      {"larger", R"(if [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi)",
       R"(if [ "$1" -gt "$2" ]; then echo "$1"; else echo "$2"; fi)", "larger 7 9", "9"},
      {"count", "echo $(($# - 1))", "echo $#", "count a b c", "3"},
      {"file_name", R"(echo "${1%/*}")", R"(echo "${1##*/}")", "file_name /usr/share/words",
       "words"},
      {"extension", R"(echo "${1%.*}")", R"(echo "${1##*.}")", "extension shelf.tar", "tar"},
      {"last", R"(shift; echo "$1")", R"(for last; do :; done; echo "$last")", "last x y z", "z"},
      {"even", "[ $(($1 % 2)) -eq 1 ] && echo yes || echo no",
       "[ $(($1 % 2)) -eq 0 ] && echo yes || echo no", "even 8", "yes"},
  };
  return kRepairs;
}

std::vector<DemoFile> demo_files() {
  std::vector<DemoFile> files{{"README.md", std::string(kReadme)}, {"test.sh", test_file()}};
  for (const DemoRepair& repair : demo_repairs()) {
    files.push_back({repair_path(repair), library_file(repair)});
  }
  return files;
}

std::string_view demo_task() {
  return "Make the tests pass.\n\nEvery function in lib/ has one mistake, as `sh test.sh` shows: "
         "repair "
         "each in a subplan of its own, and leave the tests as they are.";
}

std::string demo_script() {
  std::string text =
      "about: Repairs the project of `agents demo`.\ndefaults: {chunk: 24, chunk_delay: 10ms}\n"
      "rules:\n";
  text += strategy_rule();
  text += kLookRule;
  std::size_t number = 0;
  for (const DemoRepair& repair : demo_repairs()) text += repair_rule(repair, number++);
  return text.append(kReportRule);
}

}  // namespace clever::service
