ALTER TABLE "thumbnail" ADD COLUMN "postponed_at" timestamptz;--> statement-breakpoint
ALTER TABLE "thumbnail" ADD COLUMN "postponements" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "dedupe_key" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "handed_over_at" timestamptz;--> statement-breakpoint
CREATE INDEX "thumbnail_postponed_at_index" ON "thumbnail" USING btree ("postponed_at") WHERE postponed_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_dedupe_key_index" ON "outbox" USING btree ("dedupe_key") WHERE dedupe_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_workspace_id_job_id_index" ON "outbox" USING btree ("workspace_id","job_id") WHERE workspace_id IS NOT NULL AND handed_over_at IS NULL;--> statement-breakpoint
CREATE INDEX "outbox_workspace_id_index" ON "outbox" USING btree ("workspace_id") WHERE handed_over_at IS NOT NULL;