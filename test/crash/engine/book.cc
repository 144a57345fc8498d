#include "crash/engine/book.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "provider/scripted/script.h"
#include "support/built_paths.h"

namespace clever::engine::crash {
namespace {

std::string script() {
  std::string text =
      "defaults: {delay: 10ms, usage: {input: 900, output: 40}}\n"
      "rules:\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "  - name: submit_strategy\n"
      "    arguments:\n"
      "      summary: A subplan for every page.\n"
      "      steps:\n";
  for (std::size_t page = 1; page <= Book::kPages; ++page) {
    const std::string number = std::to_string(page);
    text += "      - {id: page" + number + ", title: Sign page " + number + ", mode: subplan}\n";
  }
  return text +
         "- match: {user_regex: 'Sign page (\\d+)', turn: 1}\n"
         "  tool_calls: {name: read_file, arguments: {path: 'pages/{1}.txt'}}\n"
         "- match: {result: read_file, result_regex: 'page (\\d+)'}\n"
         "  tool_calls:\n"
         "  - name: edit_file\n"
         "    arguments: {path: 'pages/{1}.txt', old_text: 'page {1}', "
         "new_text: \"page {1}\\nsigned\"}\n"
         "- match: {result: edit_file}\n"
         "  reply: It is signed.\n";
}

constexpr std::string_view kPrices =
    "[lab]\n"
    "date = 2026-01-01\n"
    "source = \"this test\"\n"
    "[lab.\"scripted\"]\n"
    "input = 1.0\n"
    "output = 2.0\n"
    "context = 16000\n"
    "max_output = 4096\n";

std::string settings_for(const test::ModelServer& server) {
  return "[provider.lab]\n"
         "base_url = \"" +
         server.url("/v1") +
         "\"\n"
         "wire = \"openai-chat\"\n"
         "local = false\n"
         "models = [\"scripted\"]\n"
         "max_concurrency = 64\n"
         "[model]\n"
         "default = \"lab/scripted\"\n";
}

std::string text_of(const model::Message& message) {
  std::string text;
  for (const model::Part& part : message.parts) {
    if (const auto* words = std::get_if<model::Text>(&part)) text += words->text;
  }
  return text;
}

std::size_t number_at(std::string_view text) {
  std::size_t number = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    number = number * 10 + static_cast<std::size_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  return number;
}

}  // namespace

Book::Book() : Book(script()) {}

Book::Book(const std::string& script)
    : server_(
          std::make_unique<test::ModelServer>(provider::Script::parse(script, "book").value())) {
  for (std::size_t page = 1; page <= kPages; ++page) {
    const std::string number = std::to_string(page);
    repository_.write("pages/" + number + ".txt", "page " + number + "\n");
  }
  repository_.commit("a book");
}

std::filesystem::path Book::new_home(const std::string& name) const {
  const auto home = repository_.beside(name);
  std::filesystem::create_directories(home);
  std::ofstream(home / "config.toml") << settings_for(*server_);
  std::ofstream(home / "models.toml") << kPrices;
  return home;
}

io::ProcessOptions Book::agents(const std::filesystem::path& home,
                                std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), test::agents_program());
  io::ProcessOptions options{
      .argv = std::move(arguments), .working_directory = repository_.path(), .environment = {}};
  options.environment = std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin",
                                                 "LANG=C.UTF-8",
                                                 "HOME=" + home.string(),
                                                 "CLEVERAGENTS_HOME=" + home.string(),
                                                 "GIT_CONFIG_GLOBAL=/dev/null",
                                                 "GIT_CONFIG_NOSYSTEM=1"};
  if (const char* profile = std::getenv("LLVM_PROFILE_FILE")) {
    options.environment->push_back(std::string("LLVM_PROFILE_FILE=") + profile);
  }
  return options;
}

std::vector<std::string> Book::run_arguments() {
  // Long enough to be killed in; what it asks holds only if every page was signed once.
  const std::string check =
      "sleep 0.1; test $(grep -c signed pages/*.txt | grep -c ':1$') -eq " + std::to_string(kPages);
  return {
      "run", "Have the whole book signed.", "--budget", kBudget, "--validate", check, "--format",
      "json"};
}

Question question_of(const provider::ModelRequest& request) {
  constexpr std::string_view kTitle = "Sign page ";
  Question question;
  for (const model::Message& message : request.messages) {
    if (message.role == model::Role::kAssistant) ++question.turn;
    const std::string text = text_of(message);
    const std::size_t at = text.find(kTitle);
    if (question.page == 0 && at != std::string::npos) {
      question.page = number_at(std::string_view(text).substr(at + kTitle.size()));
    }
  }
  const bool strategizes = std::ranges::any_of(
      request.tools, [](const provider::ToolSpec& tool) { return tool.name == "submit_strategy"; });
  if (strategizes) question.page = 0;
  return question;
}

}  // namespace clever::engine::crash
