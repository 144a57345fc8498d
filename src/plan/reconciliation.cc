#include "plan/reconciliation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

namespace clever::plan {
namespace {

using model::Invariant;

constexpr std::array<std::string_view, 9> kNegations{
    "not", "never", "don't", "doesn't", "dont", "doesnt", "mustn't", "cannot", "can't"};
// Words that change neither the subject of a sentence nor whether it is negated.
constexpr std::array<std::string_view, 8> kFiller{"always", "do",    "does", "must",
                                                  "should", "shall", "can",  "please"};

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_word(char c) {
  const bool ascii = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  // Every character beyond ASCII belongs to a word.
  return ascii || c == '\'' || c == '_' || c == '/' || c == '.' || c == '-' || c == '*' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    while (!word.empty() && (word.back() == '.' || word.back() == '\'')) word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    if (is_word(c)) {
      word += lowered(c);
    } else {
      end_word();
    }
  }
  end_word();
  return words;
}

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// A sentence's subject, and whether the sentence is negated.
struct Meaning {
  std::string core{};
  bool denied = false;
};

Meaning meaning_of(std::string_view text) {
  Meaning meaning;
  for (const std::string& word : words_of(text)) {
    if (is_one_of(kNegations, word)) {
      meaning.denied = !meaning.denied;
    } else if (!is_one_of(kFiller, word)) {
      meaning.core += (meaning.core.empty() ? "" : " ") + word;
    }
  }
  return meaning;
}

bool says_the_same(const Invariant& one, const Invariant& other) {
  const Meaning first = meaning_of(one.text);
  const Meaning second = meaning_of(other.text);
  return first.core == second.core && first.denied == second.denied;
}

std::vector<Invariant> by_scope(const std::vector<Invariant>& all) {
  using enum model::InvariantScope;
  std::vector<Invariant> sorted;
  for (const auto scope : {kGlobal, kProject, kAction, kPlan}) {
    std::ranges::copy_if(all, std::back_inserter(sorted),
                         [&](const Invariant& one) { return one.scope == scope; });
  }
  return sorted;
}

std::string overrides(const Invariant& wider, const Invariant& narrower) {
  return shown(narrower) + " contradicts " + shown(wider) +
         ", which is non_overridable: give it another name, or remove one of them (`agents "
         "invariant list` shows where they are)";
}

std::string contradicts(const Invariant& one, const Invariant& other) {
  return shown(other) + " contradicts " + shown(one) +
         ": remove one of them (`agents invariant list` shows where they are), or give both one "
         "name, so that the more specific counts";
}

// A named invariant replaces wider ones with its name.
void lay_over(Reconciled& result, const Invariant& one) {
  const auto same = [&](const Invariant& held) {
    return one.name.empty() ? held.name.empty() && held.text == one.text : held.name == one.name;
  };
  const auto wider = std::ranges::find_if(result.in_force, same);
  if (wider == result.in_force.end()) {
    result.in_force.push_back(one);
  } else if (!wider->non_overridable) {
    *wider = one;
  } else if (!says_the_same(*wider, one) && result.conflict.empty()) {
    result.conflict = overrides(*wider, one);
  }
}

void find_contradiction(Reconciled& result) {
  std::map<std::string, std::pair<bool, const Invariant*>> known;
  for (const Invariant& one : result.in_force) {
    const Meaning meaning = meaning_of(one.text);
    if (meaning.core.empty()) continue;
    const auto [place, fresh] = known.emplace(meaning.core, std::pair(meaning.denied, &one));
    if (fresh || place->second.first == meaning.denied) continue;
    if (result.conflict.empty()) result.conflict = contradicts(*place->second.second, one);
  }
}

}  // namespace

std::string shown(const Invariant& invariant) {
  std::string text = "the " + std::string(model::to_string(invariant.scope)) + " invariant ";
  if (!invariant.name.empty()) text += invariant.name + " ";
  return text + "(\"" + invariant.text + "\")";
}

Reconciled reconcile(const std::vector<Invariant>& invariants) {
  Reconciled result;
  for (const Invariant& one : by_scope(invariants)) lay_over(result, one);
  find_contradiction(result);
  return result;
}

}  // namespace clever::plan
