#pragma once
#include "cli/command.h"

// One function per command, one file each. Private to the module.
namespace clever::cli {

[[nodiscard]] Command version_command();
[[nodiscard]] Command demo_command();
[[nodiscard]] Command run_command();
[[nodiscard]] Command init_command();
[[nodiscard]] Command diagnostics_command();
[[nodiscard]] Command config_command();
[[nodiscard]] Command config_get_command();
[[nodiscard]] Command config_set_command();
[[nodiscard]] Command config_unset_command();
[[nodiscard]] Command config_list_command();
[[nodiscard]] Command config_path_command();
[[nodiscard]] Command db_command();
[[nodiscard]] Command db_status_command();
[[nodiscard]] Command db_migrate_command();
[[nodiscard]] Command db_verify_command();
[[nodiscard]] Command db_rebuild_command();
[[nodiscard]] Command db_backup_command();
[[nodiscard]] Command db_vacuum_command();
[[nodiscard]] Command provider_command();
[[nodiscard]] Command provider_list_command();
[[nodiscard]] Command provider_show_command();
[[nodiscard]] Command provider_test_command();
[[nodiscard]] Command provider_calls_command();
[[nodiscard]] Command provider_reset_command();
[[nodiscard]] Command budget_command();
[[nodiscard]] Command budget_list_command();
[[nodiscard]] Command budget_set_command();
[[nodiscard]] Command budget_release_command();
[[nodiscard]] Command plan_command();
[[nodiscard]] Command plan_list_command();
[[nodiscard]] Command plan_status_command();
[[nodiscard]] Command plan_watch_command();
[[nodiscard]] Command plan_tree_command();
[[nodiscard]] Command plan_diff_command();
[[nodiscard]] Command plan_apply_command();
[[nodiscard]] Command plan_undo_command();
[[nodiscard]] Command plan_prompt_command();
[[nodiscard]] Command plan_rollback_command();
[[nodiscard]] Command plan_resume_command();
[[nodiscard]] Command plan_cancel_command();
[[nodiscard]] Command plan_errors_command();
[[nodiscard]] Command plan_events_command();
[[nodiscard]] Command plan_cost_command();
[[nodiscard]] Command plan_verify_command();
[[nodiscard]] Command plan_drive_command();
[[nodiscard]] Command status_command();
[[nodiscard]] Command diff_command();
[[nodiscard]] Command apply_command();
[[nodiscard]] Command undo_command();
[[nodiscard]] Command resume_command();
[[nodiscard]] Command watch_command();
[[nodiscard]] Command cleanup_command();
[[nodiscard]] Command sandbox_command();
[[nodiscard]] Command sandbox_run_command();
[[nodiscard]] Command context_command();
[[nodiscard]] Command context_show_command();
[[nodiscard]] Command context_search_command();
[[nodiscard]] Command context_why_command();
[[nodiscard]] Command context_index_command();
[[nodiscard]] Command context_stats_command();
[[nodiscard]] Command context_decisions_command();
[[nodiscard]] Command completion_command();
[[nodiscard]] Command complete_command();
[[nodiscard]] Command help_command();
[[nodiscard]] Command manual_command();

}  // namespace clever::cli
