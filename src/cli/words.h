#pragma once
#include "service/command.h"
#include "service/context.h"
#include "service/exit_code.h"
#include "service/format.h"
#include "service/invocation.h"
#include "service/report.h"
#include "service/screen.h"
#include "service/suggest.h"
#include "service/text.h"
#include "service/view.h"

// The command line is written in the service's words: commands, calls, reports, views, texts.
namespace clever::cli {

// clang-format off
using service::Command, service::CommandPath, service::Completes, service::Example, service::Handler,
    service::Option, service::Positional;
using service::find_subcommand, service::joined, service::options_at, service::spelled, service::usage_line;
using service::Invocation;
using service::Context, service::Surroundings, service::blame_file;
using service::Document, service::Message, service::Report, service::Status, service::failed;
using service::ExitCode, service::exit_code, service::kExitCodes;
using service::Format, service::format_from_string, service::format_names, service::is_for_programs;
using service::Look, service::Screen, service::Theme;
using service::Block, service::Changes, service::Checks, service::Fields, service::Line, service::Markdown, service::Prose, service::Raw,
    service::Span, service::Table, service::Tone, service::Verdict, service::View;
using service::alternatives, service::columns, service::in_quotes, service::next_code_point, service::padded,
    service::printable, service::wrapped;
using service::did_you_mean;
using service::to_string;
// clang-format on

}  // namespace clever::cli
