#pragma once
#include "cli/words.h"
#include "model/document.h"
#include "service/command.h"
#include "service/view.h"

namespace clever::cli {

using model::Document;

/// A command's help for people, wrapped to `width` columns.
[[nodiscard]] Prose help_text(const CommandPath& path, std::size_t width);

/// The same for programs: name, summary, usage, arguments, options, examples, subcommands.
[[nodiscard]] Document help_data(const CommandPath& path);

/// An option's summary with its choices: "Output format (rich, plain, …)".
[[nodiscard]] std::string summary_with_choices(std::string_view summary,
                                               const std::vector<std::string_view>& choices);

/// The paragraphs of a description.
[[nodiscard]] std::vector<std::string_view> paragraphs(std::string_view text);

}  // namespace clever::cli
