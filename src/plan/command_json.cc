// Commands as JSON, as the inbox stores them.
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/base64.h"
#include "base/check.h"
#include "plan/command.h"
#include "plan/internal/json_text.h"

namespace clever::plan {
namespace {

using nlohmann::json;

// ---- writing -----------------------------------------------------------------------------------

// The data of an event, as JSON.
json of_event(const model::Event& event) { return json::parse(event.data); }

json written(const Prompt& prompt) {
  json object{{"message", json::parse(model::to_json({prompt.message}))}, {"model", prompt.model}};
  if (prompt.terms) {
    const model::PlanPrompted carrier{.terms = prompt.terms};
    object["terms"] = of_event(carrier.to_event())["terms"];
  }
  return object;
}
json written(const Resume&) { return json::object(); }
json written(const Cancel& cancel) { return {{"reason", cancel.reason}}; }
json written(const Apply& apply) { return {{"request", of_event(apply.request.to_event())}}; }
json written(const Undo& undo) { return {{"by", undo.by}}; }
json written(const Seal&) { return json::object(); }
json written(const Rollback& rollback) { return {{"to_sequence", rollback.to_sequence}}; }

json written(const Correct& correct) {
  return {{"decision", correct.decision.to_string()},
          {"mode", model::to_string(correct.mode)},
          {"guidance", json::parse(model::to_json({correct.guidance}))}};
}
json written(const Approve& approve) {
  return {{"number", approve.number},
          {"items", approve.items},
          {"by", approve.by},
          {"remember", approve.remember}};
}
json written(const Reject& reject) {
  return {{"number", reject.number},
          {"items", reject.items},
          {"reason", reject.reason},
          {"by", reject.by}};
}
json written(const Choose& choose) {
  json edits = json::array();
  for (const Choose::Edit& edit : choose.edits) {
    edits.push_back(
        {{"path", base::to_base64(edit.path)}, {"content", base::to_base64(edit.content)}});
  }
  return {{"reviewed", choose.reviewed.to_hex()}, {"keep", choose.keep}, {"edits", edits}};
}

// Writes tree, base, reads and summary as those of the step's event.
json written(const ChildEnded& ended) {
  const model::StepMoved carrier{.child = ended.child,
                                 .base = ended.base,
                                 .tree = ended.tree,
                                 .reads = ended.reads,
                                 .summary = ended.summary,
                                 .files = ended.files};
  return {{"effect", ended.effect.to_string()},
          {"state", model::to_string(ended.state)},
          {"work", of_event(carrier.to_event())},
          {"error", ended.error}};
}
json written(const ChildWaits& waits) {
  return {{"effect", waits.effect.to_string()},
          {"child", waits.child.to_string()},
          {"reason", waits.reason}};
}

template <class T>
concept Travels = requires(const T& command) { written(command); };

// ---- reading -----------------------------------------------------------------------------------

base::Error wrong_command(const std::string& key, const std::string& wanted) {
  return base::invalid_argument("command: \"" + key + "\" must be " + wanted);
}

const json& at(const json& object, const char* key) {
  static const json kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

base::Result<std::string> command_text(const json& object, const char* key) {
  const json& value = at(object, key);
  if (value.is_null()) return std::string();
  if (!value.is_string()) return wrong_command(key, "a string");
  return value.get<std::string>();
}

template <class Id>
base::Result<Id> id_at(const json& object, const char* key) {
  const json& value = at(object, key);
  if (!value.is_string()) return wrong_command(key, "an id");
  return Id::parse(value.get_ref<const std::string&>())
      .context("command: \"" + std::string(key) + "\"");
}

base::Result<model::Message> message_at(const json& object, const char* key) {
  CLEVER_ASSIGN(auto messages, model::messages_from_json(json_text(at(object, key))));
  if (messages.size() != 1) return wrong_command(key, "a list of one message");
  if (messages.front().role != model::Role::kUser) return wrong_command(key, "of the user's role");
  return std::move(messages.front());
}

base::Result<Command> read_prompt(const json& object) {
  Prompt prompt;
  CLEVER_ASSIGN(prompt.message, message_at(object, "message"));
  CLEVER_ASSIGN(prompt.model, command_text(object, "model"));
  if (at(object, "terms").is_null()) return Command(std::move(prompt));
  const json carrier{
      {"body", base::Sha256Digest().to_hex()}, {"bytes", 0}, {"terms", at(object, "terms")}};
  CLEVER_ASSIGN(model::PlanPrompted read, model::PlanPrompted::parse(json_text(carrier)));
  prompt.terms = std::move(read.terms);
  return Command(std::move(prompt));
}

base::Result<Command> read_resume(const json&) { return Command(Resume{}); }

base::Result<Command> read_cancel(const json& object) {
  CLEVER_ASSIGN(std::string reason, command_text(object, "reason"));
  return Command(Cancel{std::move(reason)});
}

base::Result<Command> read_apply(const json& object) {
  CLEVER_ASSIGN(auto request, model::ApplyRequested::parse(json_text(at(object, "request"))));
  return Command(Apply{std::move(request)});
}

base::Result<Command> read_undo(const json& object) {
  CLEVER_ASSIGN(std::string by, command_text(object, "by"));
  return Command(Undo{std::move(by)});
}
base::Result<Command> read_seal(const json&) { return Command(Seal{}); }

base::Result<Command> read_rollback(const json& object) {
  const json& value = at(object, "to_sequence");
  if (!value.is_number_integer()) return wrong_command("to_sequence", "the sequence of an event");
  return Command(Rollback{value.get<std::int64_t>()});
}

base::Result<std::vector<std::string>> texts_at(const json& object, const char* key) {
  const json& value = at(object, key);
  std::vector<std::string> read;
  if (value.is_null()) return read;
  if (!value.is_array()) return wrong_command(key, "a list of texts");
  for (const json& one : value) {
    if (!one.is_string()) return wrong_command(key, "a list of texts");
    read.push_back(one.get<std::string>());
  }
  return read;
}

base::Result<std::int64_t> command_number(const json& object, const char* key) {
  const json& value = at(object, key);
  if (value.is_null()) return 0;
  if (!value.is_number_integer()) return wrong_command(key, "a whole number");
  return value.get<std::int64_t>();
}

base::Result<Command> read_correct(const json& object) {
  Correct correct;
  CLEVER_ASSIGN(correct.decision, id_at<model::DecisionId>(object, "decision"));
  CLEVER_ASSIGN(const std::string mode, command_text(object, "mode"));
  CLEVER_ASSIGN(correct.mode, model::parse_correction_mode(mode).context("command: \"mode\""));
  CLEVER_ASSIGN(correct.guidance, message_at(object, "guidance"));
  return Command(std::move(correct));
}

base::Result<Command> read_approve(const json& object) {
  Approve approve;
  CLEVER_ASSIGN(approve.number, command_number(object, "number"));
  CLEVER_ASSIGN(approve.items, texts_at(object, "items"));
  CLEVER_ASSIGN(approve.by, command_text(object, "by"));
  CLEVER_ASSIGN(approve.remember, texts_at(object, "remember"));
  return Command(std::move(approve));
}

base::Result<Command> read_reject(const json& object) {
  Reject reject;
  CLEVER_ASSIGN(reject.number, command_number(object, "number"));
  CLEVER_ASSIGN(reject.items, texts_at(object, "items"));
  CLEVER_ASSIGN(reject.reason, command_text(object, "reason"));
  CLEVER_ASSIGN(reject.by, command_text(object, "by"));
  return Command(std::move(reject));
}

base::Result<Choose::Edit> edit_of(const json& object) {
  if (!object.is_object()) return wrong_command("edits", "a list of objects");
  CLEVER_ASSIGN(const std::string path, command_text(object, "path"));
  CLEVER_ASSIGN(const std::string content, command_text(object, "content"));
  Choose::Edit edit;
  CLEVER_ASSIGN(edit.path, base::from_base64(path));
  CLEVER_ASSIGN(edit.content, base::from_base64(content));
  return edit;
}

base::Result<Command> read_choose(const json& object) {
  Choose choose;
  CLEVER_ASSIGN(const std::string reviewed, command_text(object, "reviewed"));
  CLEVER_ASSIGN(choose.reviewed,
                base::Sha256Digest::from_hex(reviewed).context("command: \"reviewed\""));
  CLEVER_ASSIGN(choose.keep, texts_at(object, "keep"));
  const json& edits = at(object, "edits");
  if (!edits.is_null() && !edits.is_array()) return wrong_command("edits", "a list of objects");
  for (const json& one : edits) {
    CLEVER_ASSIGN(Choose::Edit edit, edit_of(one));
    choose.edits.push_back(std::move(edit));
  }
  return Command(std::move(choose));
}

base::Result<Command> read_child_ended(const json& object) {
  ChildEnded ended;
  CLEVER_ASSIGN(ended.effect, id_at<model::EffectId>(object, "effect"));
  CLEVER_ASSIGN(const std::string state, command_text(object, "state"));
  CLEVER_ASSIGN(ended.state, model::parse_plan_state(state).context("command: \"state\""));
  CLEVER_ASSIGN(model::StepMoved work, model::StepMoved::parse(json_text(at(object, "work"))));
  ended.child = work.child;
  ended.base = std::move(work.base);
  ended.tree = std::move(work.tree);
  ended.reads = std::move(work.reads);
  ended.summary = std::move(work.summary);
  ended.files = work.files;
  CLEVER_ASSIGN(ended.error, command_text(object, "error"));
  return Command(std::move(ended));
}

base::Result<Command> read_child_waits(const json& object) {
  ChildWaits waits;
  CLEVER_ASSIGN(waits.effect, id_at<model::EffectId>(object, "effect"));
  CLEVER_ASSIGN(waits.child, id_at<model::PlanId>(object, "child"));
  CLEVER_ASSIGN(waits.reason, command_text(object, "reason"));
  return Command(std::move(waits));
}

struct Reader {
  std::string_view name;
  base::Result<Command> (*read)(const json&);
};
constexpr std::array kReaders{
    Reader{"prompt", read_prompt},
    Reader{"resume", read_resume},
    Reader{"cancel", read_cancel},
    Reader{"apply", read_apply},
    Reader{"undo", read_undo},
    Reader{"rollback", read_rollback},
    Reader{"seal", read_seal},
    Reader{"correct", read_correct},
    Reader{"approve", read_approve},
    Reader{"reject", read_reject},
    Reader{"choose", read_choose},
    Reader{"child_ended", read_child_ended},
    Reader{"child_waits", read_child_waits},
};

}  // namespace

std::string to_json(const Command& command) {
  return std::visit(
      [&]<class T>(const T& one) -> std::string {
        if constexpr (Travels<T>) {
          json object = written(one);
          object["command"] = name_of(command);
          return json_text(object);
        } else {
          CLEVER_CHECK(false, "this command does not travel through an inbox");
          return {};
        }
      },
      command);
}

base::Result<Command> command_from_json(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return base::invalid_argument("a command is a JSON object");
  CLEVER_ASSIGN(const std::string name, command_text(object, "command"));
  for (const Reader& reader : kReaders) {
    if (reader.name == name) return reader.read(object);
  }
  return wrong_command(
      "command",
      "prompt, resume, cancel, apply, undo, rollback, seal, correct, approve, reject, choose, "
      "child_ended or child_waits, not '" +
          name + "'");
}

}  // namespace clever::plan
