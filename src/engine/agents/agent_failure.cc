#include "engine/agents/agent_failure.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace clever::engine {
namespace {

constexpr std::size_t kMostWords = 2000;
constexpr std::size_t kMostLines = 12;
constexpr int kTriesToConnect = 3;

struct Sign {
  std::string_view words;
  AgentTrouble trouble;
};

// In lower case. The first match counts.
constexpr auto kSigns = std::to_array<Sign>({
    {"bwrap", AgentTrouble::kOwnSandbox},
    {"bubblewrap", AgentTrouble::kOwnSandbox},
    {"landlock", AgentTrouble::kOwnSandbox},
    {"seccomp", AgentTrouble::kOwnSandbox},
    {"creating new namespace", AgentTrouble::kOwnSandbox},
    {"user namespace", AgentTrouble::kOwnSandbox},
    {"not logged in", AgentTrouble::kNotLoggedIn},
    {"please run /login", AgentTrouble::kNotLoggedIn},
    {"please log in", AgentTrouble::kNotLoggedIn},
    {"auth login", AgentTrouble::kNotLoggedIn},
    {"invalid api key", AgentTrouble::kNotLoggedIn},
    {"incorrect api key", AgentTrouble::kNotLoggedIn},
    {"invalid x-api-key", AgentTrouble::kNotLoggedIn},
    {"api key not valid", AgentTrouble::kNotLoggedIn},
    {"api key is missing", AgentTrouble::kNotLoggedIn},
    {"api key not found", AgentTrouble::kNotLoggedIn},
    {"missing api key", AgentTrouble::kNotLoggedIn},
    {"missing bearer", AgentTrouble::kNotLoggedIn},
    {"set an auth method", AgentTrouble::kNotLoggedIn},
    {"invalid auth method", AgentTrouble::kNotLoggedIn},
    {"no auth type", AgentTrouble::kNotLoggedIn},
    {"authentication", AgentTrouble::kNotLoggedIn},
    {"unauthenticated", AgentTrouble::kNotLoggedIn},
    {"unauthorized", AgentTrouble::kNotLoggedIn},
    {"401", AgentTrouble::kNotLoggedIn},
    {"oauth", AgentTrouble::kNotLoggedIn},
    {"environment variable", AgentTrouble::kNotLoggedIn},
    {"no provider", AgentTrouble::kNotLoggedIn},
    {"rate limit", AgentTrouble::kPasses},
    {"overloaded", AgentTrouble::kPasses},
    {"429", AgentTrouble::kPasses},
    {"529", AgentTrouble::kPasses},
    {"503", AgentTrouble::kPasses},
    {"enotfound", AgentTrouble::kNoNetwork},
    {"eai_again", AgentTrouble::kNoNetwork},
    {"econnrefused", AgentTrouble::kNoNetwork},
    {"enetunreach", AgentTrouble::kNoNetwork},
    {"getaddrinfo", AgentTrouble::kNoNetwork},
    {"dns error", AgentTrouble::kNoNetwork},
    {"name resolution", AgentTrouble::kNoNetwork},
    {"unable to connect", AgentTrouble::kNoNetwork},
    {"cannot connect", AgentTrouble::kNoNetwork},
    {"connection refused", AgentTrouble::kNoNetwork},
    {"connectionrefused", AgentTrouble::kNoNetwork},
    {"connection failed", AgentTrouble::kNoNetwork},
    {"connection error", AgentTrouble::kNoNetwork},
    {"error sending request", AgentTrouble::kNoNetwork},
    {"fetch failed", AgentTrouble::kNoNetwork},
    {"network", AgentTrouble::kNoNetwork},
    {"stream disconnected", AgentTrouble::kNoNetwork},
});

std::string small(std::string_view text) {
  std::string letters(text);
  std::ranges::transform(letters, letters.begin(), [](char one) {
    return one >= 'A' && one <= 'Z' ? static_cast<char>(one - 'A' + 'a') : one;
  });
  return letters;
}

std::string joined_hosts(const AgentProgram& program) {
  std::string text;
  for (const std::string& host : program.hosts) text += (text.empty() ? "" : ", ") + host;
  return text;
}

// The agent's own report comes first, then its other output.
std::string last_words(const AgentEnd& end) {
  if (!end.report.error.empty()) return end.report.error;
  const std::string errors = meaningful_end(end.output.error_output);
  const std::string words =
      end.report.said.empty() ? meaningful_end(end.output.output) : meaningful_end(end.report.said);
  if (errors.empty()) return words;
  if (words.empty()) return errors;
  // Either stream may hold the reason: a warning on one must not hide the error on the other.
  return trouble_of(errors) == AgentTrouble::kOther && trouble_of(words) != AgentTrouble::kOther
             ? words
             : errors;
}

bool all_tools_failed(const AgentEnd& end) {
  return end.report.tools > 0 && end.report.failed_tools == end.report.tools &&
         end.changed_files == 0;
}

// A connection that broke after some work does not mean that the network is blocked.
AgentTrouble trouble_of_end(const AgentEnd& end, const std::string& words) {
  const AgentTrouble trouble = trouble_of(words);
  const bool worked = end.report.usage.output_tokens > 0 || end.report.tools > 0;
  return trouble == AgentTrouble::kNoNetwork && worked ? AgentTrouble::kPasses : trouble;
}

base::Error error_of(const AgentProgram& program, const AgentEnd& end, std::string message,
                     AgentTrouble trouble) {
  if (const std::string cure = cure_of(program, end.name, trouble); !cure.empty()) {
    message += "\n" + cure;
  }
  const bool passes = trouble == AgentTrouble::kPasses || trouble == AgentTrouble::kOther;
  return passes ? base::unavailable(std::move(message))
                : base::permission_denied(std::move(message));
}

}  // namespace

AgentTrouble trouble_of(std::string_view words) {
  const std::string text = small(words);
  const auto sign =
      std::ranges::find_if(kSigns, [&](const Sign& one) { return text.contains(one.words); });
  return sign == kSigns.end() ? AgentTrouble::kOther : sign->trouble;
}

std::string meaningful_end(std::string_view output) {
  std::vector<std::string_view> lines;
  std::size_t size = 0;
  while (!output.empty() && lines.size() < kMostLines) {
    while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) {
      output.remove_suffix(1);
    }
    const std::size_t end = output.rfind('\n');
    const std::string_view line = end == std::string_view::npos ? output : output.substr(end + 1);
    output.remove_suffix(line.size());
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '{' || line[first] == '[') continue;
    if (size + line.size() > kMostWords && !lines.empty()) break;
    size += line.size();
    lines.push_back(line);
  }
  std::string text;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    text += (text.empty() ? "" : "\n") + base::to_valid_utf8(*line);
  }
  return text.size() > kMostWords ? base::to_valid_utf8(text.substr(text.size() - kMostWords))
                                  : text;
}

std::string repeated_network_error(std::string_view errors) {
  int tries = 0;
  std::string last;
  for (const std::string_view line : base::split(errors, '\n')) {
    const bool tries_again = small(line).contains("retry");
    if (!tries_again || trouble_of(line) != AgentTrouble::kNoNetwork) continue;
    ++tries;
    last = base::to_valid_utf8(line.substr(0, kMostWords));
  }
  return tries < kTriesToConnect ? std::string() : last;
}

std::string cure_of(const AgentProgram& program, const std::string& name, AgentTrouble trouble) {
  switch (trouble) {
    case AgentTrouble::kNotLoggedIn: {
      const std::string how = program.log_in.empty() ? "log in to it yourself" : program.log_in;
      return "Not logged in: " + how + ", then try again; `agents agent list` shows what " + name +
             " finds.";
    }
    case AgentTrouble::kNoNetwork:
      if (program.network) return "No network: the host does not answer.";
      if (program.hosts.empty()) {
        return "No network: write network: true or hosts: [HOST] in the actor's file.";
      }
      return "No network: " + name + " may reach " + joined_hosts(program) +
             "; another host goes into hosts: of an actor of your own (docs/use/agents.md).";
    case AgentTrouble::kOwnSandbox:
      return "Its own sandbox cannot work inside ours, which confines it already: switch it off in "
             "its command.";
    case AgentTrouble::kPasses:
    case AgentTrouble::kOther:
      break;
  }
  return {};
}

std::optional<base::Error> failure_of(const AgentProgram& program, const AgentEnd& end) {
  const std::string words = last_words(end);
  const confine::Ending& ending = end.output.ending;
  if (ending.exit_code != 0) {
    std::string message = end.name + " ended with exit code " + std::to_string(ending.exit_code);
    if (!ending.remark.empty()) message += "; it " + ending.remark;
    message += words.empty() ? "; it wrote nothing" : "; it last wrote:\n" + words;
    return error_of(program, end, std::move(message), trouble_of_end(end, words));
  }
  if (program.stream == AgentStreamFormat::kText) return std::nullopt;
  if (end.report.failed || (!end.report.ended && !end.report.error.empty())) {
    return error_of(program, end, end.name + " failed: " + words, trouble_of_end(end, words));
  }
  if (!end.report.ended) {
    std::string message = end.name + " ended before it said that it was done";
    message += words.empty() ? "; it wrote nothing" : "; it last wrote:\n" + words;
    return error_of(program, end, std::move(message), trouble_of_end(end, words));
  }
  // goose passes a broken connection on as its answer.
  const bool is_lost = end.report.tools == 0 && end.changed_files == 0 &&
                       end.report.said.starts_with("Network error");
  if (is_lost) {
    return error_of(program, end, end.name + " failed: " + words, AgentTrouble::kNoNetwork);
  }
  if (!all_tools_failed(end)) return std::nullopt;
  const std::string& why = end.report.tool_error;
  return error_of(program, end,
                  end.name + " did nothing: all of its " + std::to_string(end.report.tools) +
                      " tool calls failed; the last said: " + (why.empty() ? "nothing" : why),
                  trouble_of(why) == AgentTrouble::kOwnSandbox ? AgentTrouble::kOwnSandbox
                                                               : AgentTrouble::kOther);
}

}  // namespace clever::engine
