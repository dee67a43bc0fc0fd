DROP INDEX "outbox_workspace_id_job_id_index";--> statement-breakpoint
DROP INDEX "outbox_waiting_pictures";--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "unused_at" timestamptz;--> statement-breakpoint
CREATE INDEX "package_lock_incomplete" ON "package_lock" USING btree ("updated_at") WHERE NOT is_complete;--> statement-breakpoint
CREATE INDEX "outbox_turns_of_screenshots" ON "outbox" USING btree ("workspace_id","job_id") WHERE workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind <> 'packages';--> statement-breakpoint
CREATE INDEX "outbox_turns_of_packages" ON "outbox" USING btree ("workspace_id","job_id") WHERE workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind = 'packages';--> statement-breakpoint
CREATE INDEX "outbox_waiting_packages" ON "outbox" USING btree ("created_at") WHERE handed_over_at IS NULL AND kind = 'packages';--> statement-breakpoint
CREATE INDEX "outbox_waiting_pictures" ON "outbox" USING btree ("created_at") WHERE handed_over_at IS NULL AND kind <> 'packages' AND (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL);