#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tool/registry.h"
#include "tool/tool.h"

// Tools for tests.
namespace clever::tool::internal {

/// A tool that is a function.
class TestTool final : public Tool {
 public:
  using Function =
      std::function<base::Result<ToolAnswer>(const CallContext& context, std::string_view input)>;

  TestTool(ToolSpec spec, Function function)
      : spec_(std::move(spec)), function_(std::move(function)) {}

  static std::shared_ptr<Tool> answering(std::string name, std::string text) {
    return reading(std::move(name), [text](const CallContext&, std::string_view) {
      return ToolAnswer{.text = text};
    });
  }
  static std::shared_ptr<Tool> reading(std::string name, Function function) {
    return std::make_shared<TestTool>(
        ToolSpec{.name = std::move(name), .capabilities = {.read_only = true}},
        std::move(function));
  }
  static std::shared_ptr<Tool> writing(std::string name, Function function) {
    return std::make_shared<TestTool>(
        ToolSpec{.name = std::move(name), .capabilities = {.writes = true}}, std::move(function));
  }

  [[nodiscard]] const ToolSpec& spec() const override { return spec_; }
  base::Result<ToolAnswer> call(const CallContext& context, std::string_view input) override {
    return function_(context, input);
  }

 private:
  const ToolSpec spec_;
  const Function function_;
};

inline std::shared_ptr<const ToolSnapshot> snapshot_of(
    const std::vector<std::shared_ptr<Tool>>& tools) {
  ToolRegistry registry;
  registry.set("test", tools).value();
  return registry.snapshot();
}

}  // namespace clever::tool::internal
