#pragma once
#include <vector>

#include "service/command.h"

// One function per command, one file each.
namespace clever::service {

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
[[nodiscard]] Command plan_explain_command();
[[nodiscard]] Command plan_correct_command();
[[nodiscard]] Command plan_diff_command();
[[nodiscard]] Command plan_hunks_command();
[[nodiscard]] Command plan_apply_command();
[[nodiscard]] Command plan_undo_command();
[[nodiscard]] Command plan_prompt_command();
[[nodiscard]] Command plan_rollback_command();
[[nodiscard]] Command plan_resume_command();
[[nodiscard]] Command plan_cancel_command();
[[nodiscard]] Command plan_approve_command();
[[nodiscard]] Command plan_reject_command();
[[nodiscard]] Command plan_audit_command();
[[nodiscard]] Command invariant_command();
[[nodiscard]] Command plan_errors_command();
[[nodiscard]] Command plan_events_command();
[[nodiscard]] Command plan_export_command();
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
[[nodiscard]] Command trust_command();
[[nodiscard]] Command token_command();
[[nodiscard]] Command token_create_command();
[[nodiscard]] Command token_list_command();
[[nodiscard]] Command token_revoke_command();
[[nodiscard]] Command worker_command();
[[nodiscard]] Command worker_list_command();
[[nodiscard]] Command worker_drain_command();
/// The subcommands of `agents session`.
[[nodiscard]] std::vector<Command> session_commands();
[[nodiscard]] Command inbox_command();
[[nodiscard]] Command inbox_list_command();
[[nodiscard]] Command inbox_answer_command();
[[nodiscard]] Command queue_command();
[[nodiscard]] Command queue_list_command();
[[nodiscard]] Command queue_stats_command();
[[nodiscard]] Command action_command();
[[nodiscard]] Command actor_command();
[[nodiscard]] Command agent_command();
[[nodiscard]] Command tool_command();
[[nodiscard]] Command skill_command();
[[nodiscard]] Command project_command();
[[nodiscard]] Command validation_command();
[[nodiscard]] Command validation_add_command();
[[nodiscard]] Command validation_remove_command();
[[nodiscard]] Command validation_run_command();
[[nodiscard]] Command sandbox_command();
[[nodiscard]] Command sandbox_run_command();
[[nodiscard]] Command context_command();
[[nodiscard]] Command context_show_command();
[[nodiscard]] Command context_search_command();
[[nodiscard]] Command context_why_command();
[[nodiscard]] Command context_index_command();
[[nodiscard]] Command context_stats_command();
[[nodiscard]] Command context_decisions_command();

}  // namespace clever::service
