#include "service/screen.h"

#include "base/text.h"
#include "service/text.h"

namespace clever::service {
namespace {

class UnseenDisplay final : public LiveDisplay {
 public:
  void pause() override {}
  void resume() override {}
};

}  // namespace

std::unique_ptr<LiveDisplay> Screen::live_display(const LiveOptions& options) const {
  return live ? live(options) : std::make_unique<UnseenDisplay>();
}

base::Result<std::optional<std::string>> Screen::read_answer(const base::StopToken& stop) const {
  CLEVER_ASSIGN(auto answer, read_key ? read_key(stop) : read_line(stop));
  if (!answer) return answer;
  std::string word = base::lower_case(*answer);
  // The terminal did not echo the key.
  if (read_key) CLEVER_TRY(error_output(printable(word) + "\n"));
  return std::optional(std::move(word));
}

base::Result<bool> Screen::confirm(std::string_view question, const base::StopToken& stop) const {
  for (;;) {
    CLEVER_TRY(prompt({{std::string(question), Tone::kStrong}, {" [y/N] "}}));
    CLEVER_ASSIGN(const std::optional<std::string> answer, read_answer(stop));
    const std::string word = answer.value_or("");
    if (word == "y" || word == "yes") return true;
    if (word.empty() || word == "n" || word == "no") return false;
  }
}

}  // namespace clever::service
