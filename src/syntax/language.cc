#include "syntax/language.h"

#include <algorithm>
#include <array>
#include <utility>

namespace clever::syntax {
namespace {

constexpr std::array<std::string_view, kLanguages> kLanguageNames{
    "text", "c",    "cpp",  "python", "javascript", "typescript", "tsx",     "go",
    "rust", "java", "ruby", "bash",   "json",       "yaml",       "markdown"};

using Spelling = std::pair<std::string_view, Language>;

constexpr std::array kExtensions{
    Spelling{"c", Language::kC},
    Spelling{"h", Language::kC},
    Spelling{"cc", Language::kCpp},
    Spelling{"cpp", Language::kCpp},
    Spelling{"cxx", Language::kCpp},
    Spelling{"c++", Language::kCpp},
    Spelling{"hh", Language::kCpp},
    Spelling{"hpp", Language::kCpp},
    Spelling{"hxx", Language::kCpp},
    Spelling{"h++", Language::kCpp},
    Spelling{"ipp", Language::kCpp},
    Spelling{"inl", Language::kCpp},
    Spelling{"tpp", Language::kCpp},
    Spelling{"cppm", Language::kCpp},
    Spelling{"cu", Language::kCpp},
    Spelling{"cuh", Language::kCpp},
    Spelling{"ino", Language::kCpp},
    Spelling{"py", Language::kPython},
    Spelling{"pyi", Language::kPython},
    Spelling{"pyw", Language::kPython},
    Spelling{"js", Language::kJavaScript},
    Spelling{"mjs", Language::kJavaScript},
    Spelling{"cjs", Language::kJavaScript},
    Spelling{"jsx", Language::kJavaScript},
    Spelling{"ts", Language::kTypeScript},
    Spelling{"mts", Language::kTypeScript},
    Spelling{"cts", Language::kTypeScript},
    Spelling{"tsx", Language::kTsx},
    Spelling{"go", Language::kGo},
    Spelling{"rs", Language::kRust},
    Spelling{"java", Language::kJava},
    Spelling{"rb", Language::kRuby},
    Spelling{"rake", Language::kRuby},
    Spelling{"gemspec", Language::kRuby},
    Spelling{"ru", Language::kRuby},
    Spelling{"sh", Language::kBash},
    Spelling{"bash", Language::kBash},
    Spelling{"ksh", Language::kBash},
    Spelling{"bats", Language::kBash},
    Spelling{"json", Language::kJson},
    Spelling{"jsonc", Language::kJson},
    Spelling{"webmanifest", Language::kJson},
    Spelling{"yaml", Language::kYaml},
    Spelling{"yml", Language::kYaml},
    Spelling{"md", Language::kMarkdown},
    Spelling{"markdown", Language::kMarkdown},
    Spelling{"mkd", Language::kMarkdown},
    Spelling{"mdx", Language::kMarkdown},
};

constexpr std::array kFileNames{
    Spelling{"Rakefile", Language::kRuby},      Spelling{"Gemfile", Language::kRuby},
    Spelling{"Vagrantfile", Language::kRuby},   Spelling{"Podfile", Language::kRuby},
    Spelling{".bashrc", Language::kBash},       Spelling{".bash_profile", Language::kBash},
    Spelling{".profile", Language::kBash},      Spelling{"SConstruct", Language::kPython},
    Spelling{"SConscript", Language::kPython},  Spelling{"wscript", Language::kPython},
    Spelling{".clang-format", Language::kYaml}, Spelling{".clang-tidy", Language::kYaml},
    Spelling{".babelrc", Language::kJson},      Spelling{".eslintrc", Language::kJson},
};

constexpr std::array kInterpreters{
    Spelling{"python", Language::kPython},   Spelling{"pypy", Language::kPython},
    Spelling{"node", Language::kJavaScript}, Spelling{"ruby", Language::kRuby},
    Spelling{"bash", Language::kBash},       Spelling{"sh", Language::kBash},
    Spelling{"dash", Language::kBash},       Spelling{"ksh", Language::kBash},
};

template <std::size_t kSize>
std::optional<Language> find(const std::array<Spelling, kSize>& spellings, std::string_view name) {
  const auto* const found = std::ranges::find(spellings, name, &Spelling::first);
  return found == spellings.end() ? std::nullopt : std::optional(found->second);
}

std::string_view word_at(std::string_view line, std::size_t begin) {
  return line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "#!/usr/bin/env -S python3.11 -u" names python.
Language interpreter_of(std::string_view content) {
  if (!content.starts_with("#!")) {
    return Language::kText;
  }
  const std::string_view line = content.substr(2, content.substr(0, 256).find('\n') - 2);
  std::size_t at = line.find_first_not_of(" \t");
  while (at != std::string_view::npos) {
    const std::string_view word = word_at(line, at);
    std::string_view name = last_part(word);
    name = name.substr(0, name.find_last_not_of("0123456789.") + 1);
    if (name != "env" && !name.starts_with('-') && !name.contains('=')) {
      return find(kInterpreters, name).value_or(Language::kText);
    }
    at = line.find_first_not_of(" \t", at + word.size());
  }
  return Language::kText;
}

bool begins_cpp(std::string_view line) {
  constexpr std::array<std::string_view, 9> kBeginnings{
      "template<",  "template <",       "namespace ",        "public:",   "private:",
      "protected:", "using namespace ", "inline namespace ", "constexpr "};
  if (std::ranges::any_of(kBeginnings,
                          [&](std::string_view word) { return line.starts_with(word); })) {
    return true;
  }
  return line.starts_with("class ") && line.find_first_of("{;:") != std::string_view::npos;
}

// A header may be C or C++; a C++ header shows it on some line.
Language language_of_header(std::string_view content) {
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t end = std::min(content.find('\n', at), content.size());
    const std::size_t first = content.find_first_not_of(" \t", at);
    // The first letters of the keywords above: most lines start with other letters.
    if (first < end && std::string_view("tnpuic").contains(content[first]) &&
        begins_cpp(content.substr(first, end - first))) {
      return Language::kCpp;
    }
    at = end + 1;
  }
  return Language::kC;
}

}  // namespace

std::string_view to_string(Language language) noexcept {
  return kLanguageNames[static_cast<std::size_t>(language)];
}

Language language_of(std::string_view path, std::string_view content) noexcept {
  const std::string_view name = last_part(path);
  if (const auto known = find(kFileNames, name)) {
    return *known;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) {
    return interpreter_of(content);
  }
  std::array<char, 16> lower{};
  const std::string_view extension = name.substr(dot + 1).substr(0, lower.size());
  std::ranges::transform(extension, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  // On case-sensitive systems .C and .H mean C++.
  if (extension == "C" || extension == "H") {
    return Language::kCpp;
  }
  const auto known = find(kExtensions, {lower.data(), extension.size()});
  if (!known) {
    return interpreter_of(content);
  }
  return extension == "h" ? language_of_header(content) : *known;
}

}  // namespace clever::syntax
