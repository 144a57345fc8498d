#include "service/plan/void_approval.h"

#include <algorithm>

#include "engine/moved_on.h"

namespace clever::service {
namespace {

constexpr std::size_t kMostSentences = 5;
constexpr std::size_t kDigestDigits = 12;

}  // namespace

std::vector<std::string> moved_on_since(const engine::PlanFiles& files, const plan::State& plan,
                                        const base::StopToken& stop) {
  return engine::moved_on(files, plan, stop).value_or(std::vector<std::string>());
}

std::string void_sentence(const plan::State& plan, const std::vector<std::string>& moved_on) {
  const std::string digest =
      plan.changeset.digest ? plan.changeset.digest->to_hex().substr(0, kDigestDigits) : "";
  std::string sentence = "your approval of " + digest + " is void: ";
  for (std::size_t i = 0; i < std::min(moved_on.size(), kMostSentences); ++i) {
    sentence += (i == 0 ? "" : ", ") + moved_on[i];
  }
  if (moved_on.size() > kMostSentences) {
    sentence += " and " + std::to_string(moved_on.size() - kMostSentences) + " more";
  }
  return sentence;
}

std::string void_cure(const plan::State& plan) {
  const std::string id = plan.id.to_string();
  std::string cure = "`agents apply --remerge " + id + "` merges it with the present files";
  if (plan.settings.takes_words())
    cure += ", `agents plan prompt " + id + " \"…\"` lets the plan continue";
  return cure;
}

}  // namespace clever::service
