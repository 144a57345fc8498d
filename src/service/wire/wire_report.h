#pragma once
#include "model/document.h"
#include "service/report.h"
#include "service/view.h"

// Answers of operations as documents, for the command line of another process. Pure functions; what
// one end writes, the other reads back equal. Blocks and words of a newer program are left out.
namespace clever::service {

[[nodiscard]] model::Document line_document(const Line& line);
[[nodiscard]] Line line_of(const model::Document& document);

[[nodiscard]] model::Document view_document(const View& view);
[[nodiscard]] View view_of(const model::Document& document);

[[nodiscard]] model::Document report_document(const Report& report);
[[nodiscard]] Report report_of(const model::Document& document);

}  // namespace clever::service
