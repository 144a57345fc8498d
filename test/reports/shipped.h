#pragma once
// Components of the product that only real threads, processes and databases can show: the real
// composition root, validations as child processes, leases and sandboxes in a database, tool calls.

#include "reports/threads.h"

namespace clever::reports::shipped {

/// #6732: the composition root of `agents`: clients and databases that so many threads get.
[[nodiscard]] Tally roots_made(int workers);
/// #6771: validations that run at the same time and found their own output, this process's output
/// untouched.
[[nodiscard]] Tally outputs_in_place(int workers);
/// #7036: leases with one holder after their former owner renewed them while another took them.
[[nodiscard]] Tally leases_held_once(int workers);
/// #7060: commits of one sandbox that were told of.
[[nodiscard]] Tally commits_made(int workers);
/// #7076: tool calls of one turn that got their own result.
[[nodiscard]] Tally results_in_place(int workers);

}  // namespace clever::reports::shipped
