#include "service/plan/approval_words.h"

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "service/text.h"

namespace clever::service {
namespace {

using model::ApprovalItem;

std::string heading(const plan::State& plan) {
  const auto count = plan.approval->items.size();
  return "\n" + printable(plan.title) + " asks" +
         (count > 1 ? " about " + std::to_string(count) + " things" : "") + ":\n";
}

std::string question(const ApprovalItem& item, std::size_t number, std::size_t count) {
  std::string text = count > 1 ? std::to_string(number) + ". " : "";
  text += printable(item.what) + "\n";
  if (!item.why.empty()) text += "   " + printable(item.why) + "\n";
  return text + "   (y)es, (n)o, (a)ll, (d)etails, or Enter to decide later: ";
}

enum class Word : std::uint8_t { kYes, kNo, kAll, kNothing };

base::Result<void> show_details(const Screen& screen, const ApprovalItem& item,
                                const DetailsOf& details) {
  const std::string text = details(item);
  return screen.error_output(text.empty() ? "   no further details\n" : text);
}

base::Result<Word> one_word(const Screen& screen, const std::string& text, const ApprovalItem& item,
                            const DetailsOf& details, const base::StopToken& stop) {
  while (true) {
    CLEVER_TRY(screen.error_output(text));
    CLEVER_ASSIGN(const auto answer, screen.read_answer(stop));
    const std::string word = answer.value_or("");
    if (word.empty()) return Word::kNothing;
    if (word == "y" || word == "yes") return Word::kYes;
    if (word == "n" || word == "no") return Word::kNo;
    if (word == "a" || word == "all") return Word::kAll;
    if (word == "d" || word == "details") CLEVER_TRY(show_details(screen, item, details));
  }
}

base::Result<std::string> reason(const Screen& screen, const base::StopToken& stop) {
  CLEVER_TRY(screen.error_output("   reason for the model (Enter for none): "));
  CLEVER_ASSIGN(const auto line, screen.read_line(stop));
  return line.value_or("");
}

}  // namespace

Document approval_document(const model::ApprovalRequested& asked) {
  Document items = Document::list();
  for (const ApprovalItem& item : asked.items) {
    items.push(Document::map().set("id", item.id).set("what", item.what).set("why", item.why));
  }
  return Document::map()
      .set("number", asked.number)
      .set("subject", asked.subject)
      .set("items", std::move(items));
}

Table approval_table(const model::ApprovalRequested& asked) {
  Table table{"waits for your approval", {"item", "what", "why"}, {}};
  for (std::size_t i = 0; i < asked.items.size(); ++i) {
    table.rows.push_back({{std::to_string(i + 1), Tone::kStrong},
                          {asked.items[i].what, Tone::kWarn},
                          {asked.items[i].why, Tone::kDim}});
  }
  return table;
}

base::Result<std::vector<std::string>> meant_items(const model::ApprovalRequested& asked,
                                                   const std::vector<std::string>& words) {
  std::vector<std::string> items;
  for (const std::string& word : words) {
    const auto by_id = std::ranges::find(asked.items, word, &ApprovalItem::id);
    const std::size_t number = base::to_number<std::size_t>(word).value_or(0);
    if (by_id != asked.items.end()) {
      items.push_back(word);
    } else if (number >= 1 && number <= asked.items.size()) {
      items.push_back(asked.items[number - 1].id);
    } else {
      return base::not_found("no open question is " + in_quotes(word) + ": choose 1 to " +
                             std::to_string(asked.items.size()) +
                             "; `agents plan status` lists them");
    }
  }
  return items;
}

base::Result<std::vector<plan::Command>> ask_for_approval(const Screen& screen,
                                                          const plan::State& plan,
                                                          const DetailsOf& details,
                                                          const base::StopToken& stop) {
  const model::ApprovalRequested& asked = *plan.approval;
  std::vector<plan::Command> commands;
  CLEVER_TRY(screen.error_output(heading(plan)));
  // After each answer the plan makes a new request with the remaining items.
  std::int64_t number = asked.number;
  for (std::size_t i = 0; i < asked.items.size(); ++i) {
    const ApprovalItem& item = asked.items[i];
    const std::string text = question(item, i + 1, asked.items.size());
    CLEVER_ASSIGN(const Word word, one_word(screen, text, item, details, stop));
    if (word == Word::kNothing) continue;
    if (word == Word::kAll) {
      commands.emplace_back(plan::Approve{.number = number});
      return commands;
    }
    if (word == Word::kYes) {
      commands.emplace_back(plan::Approve{.number = number, .items = {item.id}});
    } else {
      CLEVER_ASSIGN(std::string why, reason(screen, stop));
      commands.emplace_back(
          plan::Reject{.number = number, .items = {item.id}, .reason = std::move(why)});
    }
    ++number;
  }
  return commands;
}

bool answers_all(const std::vector<plan::Command>& commands,
                 const model::ApprovalRequested& asked) {
  if (commands.empty()) return false;
  const auto* last = std::get_if<plan::Approve>(&commands.back());
  return (last != nullptr && last->items.empty()) || commands.size() == asked.items.size();
}

}  // namespace clever::service
