#include <array>
#include <utility>

#include "model/yaml.h"
#include "service/commands/budget.h"
#include "service/commands/run_request.h"

namespace clever::service {
namespace {

using model::YamlValue;
using YamlKind = model::YamlValue::Kind;

/// Reads one tasks file; knows its name for messages.
class TasksReader {
 public:
  TasksReader(std::string_view file, std::filesystem::path folder, const TaskRequest& defaults)
      : file_(file), folder_(std::move(folder)), defaults_(defaults) {}

  base::Result<std::vector<TaskRequest>> read(const YamlValue& document) const {
    const YamlValue* list = &document;
    if (document.is(YamlKind::kMapping)) {
      CLEVER_ASSIGN(list, tasks_in(document));
    }
    if (!list->is(YamlKind::kList) || list->items.empty()) {
      return wrong(*list, "expected a list of tasks such as `- Fix the parser`, not " +
                              model::describe(*list));
    }
    if (list->items.size() > kMostTasks) {
      return wrong(*list, "at most " + std::to_string(kMostTasks) + " tasks, not " +
                              std::to_string(list->items.size()));
    }
    std::vector<TaskRequest> tasks;
    for (const YamlValue& item : list->items) {
      CLEVER_ASSIGN(TaskRequest task, read_task(item));
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

 private:
  using Reading = base::Result<void> (TasksReader::*)(const YamlValue&, TaskRequest&) const;
  struct Key {
    std::string_view name;
    Reading read;
  };

  base::Error wrong(const YamlValue& at, std::string_view what) const {
    return model::yaml_error(file_, at.line, what);
  }

  base::Result<const YamlValue*> tasks_in(const YamlValue& document) const {
    const YamlValue* found = nullptr;
    for (const auto& [key, value] : document.members) {
      if (key.text != "tasks") return wrong(key, model::unknown_word("key", key, {"tasks"}));
      found = &value;
    }
    if (found == nullptr) return wrong(document, "the key `tasks` with a list is missing");
    return found;
  }

  base::Result<TaskRequest> read_task(const YamlValue& item) const {
    TaskRequest task = defaults_;
    if (item.is(YamlKind::kScalar)) {
      CLEVER_TRY(read_words(item, task));
      return task;
    }
    if (!item.is(YamlKind::kMapping)) {
      return wrong(
          item, "expected a task (a text, or a mapping with `task`), not " + model::describe(item));
    }
    for (const auto& [key, value] : item.members) CLEVER_TRY(read_member(key, value, task));
    if (task.task.empty() && task.actor.empty() && task.action.empty()) {
      return wrong(item, "the key `task` is missing: it says what to do");
    }
    return task;
  }

  base::Result<void> read_member(const YamlValue& key, const YamlValue& value,
                                 TaskRequest& task) const {
    std::vector<std::string> known;
    for (const Key& each : keys()) {
      if (each.name == key.text) return (this->*each.read)(value, task);
      known.emplace_back(each.name);
    }
    return wrong(key, model::unknown_word("key", key, known));
  }

  static const std::array<Key, 11>& keys() {
    static const std::array<Key, 11> kKeys{
        {{"task", &TasksReader::read_words},
         {"model", &TasksReader::read_text<&TaskRequest::model>},
         {"actor", &TasksReader::read_worker<&TaskRequest::actor>},
         {"agent", &TasksReader::read_worker<&TaskRequest::agent>},
         {"action", &TasksReader::read_text<&TaskRequest::action>},
         {"profile", &TasksReader::read_text<&TaskRequest::profile>},
         {"from", &TasksReader::read_text<&TaskRequest::from>},
         {"direct", &TasksReader::read_direct},
         {"budget", &TasksReader::read_budget},
         {"args", &TasksReader::read_arguments},
         {"images", &TasksReader::read_images}}};
    return kKeys;
  }

  base::Result<std::string> text_of(const YamlValue& value) const {
    if (value.is(YamlKind::kScalar) && !value.text.empty()) return value.text;
    return wrong(value, "expected a text, not " + model::describe(value));
  }

  base::Result<void> read_words(const YamlValue& value, TaskRequest& task) const {
    CLEVER_ASSIGN(task.task, text_of(value));
    if (task.task.find_first_not_of(" \t\r\n") != std::string::npos) return {};
    return wrong(value, "the task is empty: say what to do");
  }

  template <std::string TaskRequest::* Member>
  base::Result<void> read_text(const YamlValue& value, TaskRequest& task) const {
    CLEVER_ASSIGN(task.*Member, text_of(value));
    return {};
  }

  // The task's own actor or agent wins.
  template <std::string TaskRequest::* Member>
  base::Result<void> read_worker(const YamlValue& value, TaskRequest& task) const {
    const bool has_both = (!task.actor.empty() && task.actor != defaults_.actor) ||
                          (!task.agent.empty() && task.agent != defaults_.agent);
    if (has_both) return wrong(value, "a task has an actor or an agent, not both");
    task.actor.clear();
    task.agent.clear();
    return read_text<Member>(value, task);
  }

  base::Result<void> read_direct(const YamlValue& value, TaskRequest& task) const {
    if (value.text != "true" && value.text != "false") {
      return wrong(value, "`direct`: expected true or false, not " + model::describe(value));
    }
    task.direct = value.text == "true";
    return {};
  }

  base::Result<void> read_budget(const YamlValue& value, TaskRequest& task) const {
    const auto amount = parse_dollars(value.text);
    if (!amount.ok()) return wrong(value, "`budget`: " + amount.error().message());
    task.budget = *amount;
    return {};
  }

  base::Result<void> read_arguments(const YamlValue& value, TaskRequest& task) const {
    if (!value.is(YamlKind::kMapping)) {
      return wrong(value, "`args`: expected a mapping such as {find: Foo, replace: Bar}, not " +
                              model::describe(value));
    }
    for (const auto& [name, argument] : value.members) {
      if (!argument.is(YamlKind::kScalar) && !argument.is(YamlKind::kNull)) {
        return wrong(argument, "`args`: expected a text, not " + model::describe(argument));
      }
      task.arguments[name.text] = argument.text;
    }
    return {};
  }

  base::Result<void> read_images(const YamlValue& value, TaskRequest& task) const {
    if (!value.is(YamlKind::kList)) {
      return wrong(value, "`images`: expected a list of files, not " + model::describe(value));
    }
    for (const YamlValue& item : value.items) {
      CLEVER_ASSIGN(const std::string name, text_of(item));
      task.images.push_back(folder_ / name);
    }
    return {};
  }

  const std::string_view file_;
  const std::filesystem::path folder_;
  const TaskRequest& defaults_;
};

}  // namespace

base::Result<std::vector<TaskRequest>> tasks_from_yaml(std::string_view text, std::string_view file,
                                                       const std::filesystem::path& folder,
                                                       const TaskRequest& defaults) {
  CLEVER_ASSIGN(const YamlValue document, model::read_yaml(text, file));
  return TasksReader(file, folder, defaults).read(document);
}

}  // namespace clever::service
