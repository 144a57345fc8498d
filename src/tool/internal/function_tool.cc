#include "tool/internal/function_tool.h"

namespace clever::tool::internal {
namespace {

class FunctionTool final : public Tool {
 public:
  FunctionTool(ToolSpec spec, ToolFunction function)
      : spec_(std::move(spec)), function_(std::move(function)) {}

  [[nodiscard]] const ToolSpec& spec() const override { return spec_; }

  base::Result<ToolAnswer> call(const CallContext& context, std::string_view text) override {
    if (context.workspace == nullptr) {
      return base::invalid_argument(spec_.name + " needs a workspace, but this call has none");
    }
    CLEVER_ASSIGN(const ToolInput input, ToolInput::parse(text));
    auto answer = function_(*context.workspace, input, context);
    if (answer.ok() || !is_for_the_model(answer.error())) return answer;
    return ToolAnswer{.text = answer.error().sentence(), .failed = true};
  }

 private:
  // Constant after construction.
  const ToolSpec spec_;
  const ToolFunction function_;
};

}  // namespace

std::shared_ptr<Tool> make_tool(ToolSpec spec, ToolFunction function) {
  return std::make_shared<FunctionTool>(std::move(spec), std::move(function));
}

bool is_for_the_model(const base::Error& error) {
  switch (error.code()) {
    case base::ErrorCode::kInvalidArgument:
    case base::ErrorCode::kNotFound:
    case base::ErrorCode::kAlreadyExists:
    case base::ErrorCode::kConflict:
    case base::ErrorCode::kResourceExhausted:
    case base::ErrorCode::kPermissionDenied:
      return true;
    default:
      return false;
  }
}

std::string object_schema(std::string_view properties, std::string_view required) {
  return R"({"type":"object","properties":{)" + std::string(properties) + R"(},"required":[)" +
         std::string(required) + R"(],"additionalProperties":false})";
}

}  // namespace clever::tool::internal
