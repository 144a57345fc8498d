#include "service/screen.h"

#include "base/text.h"

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

base::Result<bool> Screen::confirm(std::string_view question, const base::StopToken& stop) const {
  for (;;) {
    CLEVER_TRY(prompt({{std::string(question), Tone::kStrong}, {" [y/N] "}}));
    CLEVER_ASSIGN(const std::optional<std::string> answer, read_line(stop));
    const std::string word = base::lower_case(answer.value_or(""));
    if (word == "y" || word == "yes") return true;
    if (word.empty() || word == "n" || word == "no") return false;
  }
}

}  // namespace clever::service
